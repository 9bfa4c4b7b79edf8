export { AgentJob, type AgentJobArgs } from "./agent-job/agent-job.js";
export {
    getAgentJob,
    type GetAgentJobArgs,
    getAgentJobOutput,
    type GetAgentJobResult,
} from "./agent-job/get-agent-job.js";
export { BucketSite, type BucketSiteArgs } from "./bucket-site/bucket-site.js";
export type { BucketSitePurge, CloudflarePurge, CloudFrontPurge, WebhookPurge } from "./bucket-site/purge.js";
export { BundleMirror, type BundleMirrorArgs } from "./bundle-mirror/bundle-mirror.js";
export { DocumentationUpdate, type DocumentationUpdateArgs } from "./documentation-update/documentation-update.js";
export type { ChangedFiles, PublishedCommit } from "./documentation-update/model.js";
export { documentationSiteChart } from "./program/packaged-charts.js";
export { StaticExportJob, type StaticExportJobArgs } from "./static-export-job/static-export-job.js";
export { StaticExportBundle, type StaticExportBundleArgs } from "./static-export-bundle/static-export-bundle.js";
