export type { ExportRequest, ExportWarning, ExportWarnings } from "@pulumi-static-export/contract";
export { ProxySettingError } from "@pulumi-static-export/contract/proxy";
export { AdminClient, type AdminClientOptions, type RetryOptions } from "./admin-client.js";
export {
    type PlatformAgentJob,
    type AgentJobLog,
    type AgentJobRecord,
    type AgentJobSource,
    type AgentJobStatus,
    type KnownAgentJobStatus,
    terminalAgentJobStatuses,
} from "./jobs/agent-job.js";
export type { AgentJobs, AgentWaitOptions } from "./jobs/agent-jobs.js";
export {
    type ChangedFiles,
    type PlatformUpdate,
    type DocumentationUpdateStatus,
    type KnownDocumentationUpdateStatus,
    type PublishedCommit,
    type StartedDocumentationPreview,
    type StartedDocumentationUpdate,
    terminalDocumentationUpdateStatuses,
} from "./jobs/documentation-update.js";
export type { DocumentationUpdates, UpdateCallOptions } from "./jobs/documentation-updates.js";
export type { AdminKey, AdminKeyRights, AdminKeys, CreatedAdminKey, NewAdminKey } from "./operators/admin-keys.js";
export type { ExportCounts, ServiceSite, Sites } from "./operators/sites.js";
export type { CallOptions, ExportCallOptions, Replayable, StartOptions, WaitOptions } from "./http/call-options.js";
export type { Clock, Timer } from "./time/clock.js";
export { downloadArchive, type DownloadArchiveOptions, type DownloadedArchive } from "./bundle/download-archive.js";
export { downloadBundle, type DownloadBundleOptions, type DownloadedBundle } from "./bundle/download-bundle.js";
export { unpackArchive, type UnpackedArchive } from "./bundle/unpack-archive.js";
export type { BundleLimits, OnFile } from "./bundle/site-writer.js";
export * from "./errors/index.js";
export type { FetchLike, FetchRequest, FetchResponse } from "./http/transport/fetch-like.js";
export {
    type KnownStaticExportJobStatus,
    type StartedStaticExportJob,
    type BundleLink,
    type StaticExportDetails,
    type PlatformExportJob,
    type StaticExportJobStatus,
    type StaticExportRecord,
    terminalStaticExportJobStatuses,
} from "./jobs/static-export-job.js";
export type { StaticExportFilter, StaticExports } from "./jobs/static-exports.js";
