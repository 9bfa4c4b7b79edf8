/** Not a public interface: these exports are for the packages of this repository, and may change in any release. */
export { createProxyAgent, describeProxy, findProxy } from "@pulumi-static-export/contract/proxy";
export { readBundleFacts } from "./bundle/bundle-facts.js";
export { parseLinkExpiry } from "./bundle/link-expiry.js";
export { isLinkRefused, mayExpireEarly } from "./bundle/link-test.js";
export { readPrivateFiles } from "./bundle/private-files.js";
export { throwWithAdvice, throwWithoutSettings } from "./errors/bundle-error.js";
export { redactUrl } from "./http/redact-url.js";
export { absenceCheckMs, isTransient, parseRetryAfter } from "./http/retry.js";
export { createGate, type Gate } from "./http/transport/gate.js";
export { maxConnections } from "./http/transport/node-transport.js";
export { countPlaces, describeExportWarning } from "./jobs/export-warnings.js";
export { isConflict } from "./jobs/static-exports.js";
export { systemClock } from "./time/clock.js";
