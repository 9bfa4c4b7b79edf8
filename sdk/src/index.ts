export { AdminClient, type AdminClientOptions, type RetryOptions } from "./admin-client.js";
export {
    type AgentJob,
    type AgentJobSource,
    type AgentJobStatus,
    type KnownAgentJobStatus,
    terminalAgentJobStatuses,
} from "./agent-job.js";
export type { AgentJobs } from "./agent-jobs.js";
export type { CallOptions, ExportCallOptions, WaitOptions } from "./call-options.js";
export { type Clock, systemClock } from "./clock.js";
export { downloadBundle, type DownloadBundleOptions, type DownloadedBundle } from "./download-bundle.js";
export * from "./errors/index.js";
export type { FetchLike, FetchRequest, FetchResponse } from "./fetch-like.js";
export { createGate, type Gate } from "./gate.js";
export { parseLinkExpiry } from "./link-expiry.js";
export { maxConnections } from "./node-transport.js";
export { readBundle, type ReadBundleOptions } from "./read-bundle.js";
export { redact, redactUrl } from "./redact.js";
export { parseRetryAfter } from "./retry-after.js";
export {
    type KnownStaticExportJobStatus,
    type StartedStaticExportJob,
    type StaticExportBundle,
    type StaticExportJob,
    type StaticExportJobStatus,
    terminalStaticExportJobStatuses,
} from "./static-export-job.js";
export type { StartStaticExport, StaticExports } from "./static-exports.js";
