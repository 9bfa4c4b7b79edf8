export { BundleCheck, type BundleCheckArgs, type MirroredCopyArgs } from "./bundle-check.js";
export { DocumentationSite, type DocumentationSiteArgs } from "./documentation-site.js";
export { type Availability, type DeploymentType, type SiteFeatures } from "./feature-matrix.js";
