export type { BundleProblem, ConnectionFailure } from "./advice.js";
export { BundleError } from "./bundle-error.js";
export { AmbiguousStartError, JobFailedError, PollTimeoutError } from "./job-errors.js";
export { ConnectionError, HttpError, InvalidResponseError, RequestTimeoutError } from "./request-errors.js";
export { type CallContext, InvalidSettingsError, StaticExportError } from "./static-export-error.js";
