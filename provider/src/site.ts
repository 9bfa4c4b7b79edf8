export { BundleCheck, type BundleCheckArgs, type MirroredCopyArgs } from "./bundle-check/bundle-check.js";
export {
    DocumentationService,
    type DocumentationServiceArgs,
    type ServiceBucketArgs,
    type ServiceImageArgs,
} from "./documentation-service/documentation-service.js";
export { DocumentationSite } from "./documentation-site/documentation-site.js";
export { type DocumentationSiteArgs } from "./documentation-site/documentation-site-args.js";
export { type HeaderAccessArgs, type OidcAccessArgs, type SiteAccessArgs } from "./documentation-site/site-access.js";
export { type SiteAnswerArgs, type SiteAssistantArgs } from "./documentation-site/site-answer.js";
export { type Availability, type DeploymentType, type SiteFeatures } from "@pulumi-static-export/contract";
