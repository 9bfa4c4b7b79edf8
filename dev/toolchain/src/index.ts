export { cacheFolder, toolFolder } from "./cache/cache.js";
export { ensureDebianPackages } from "./debian-packages.js";
export { type Cached, ensureCached } from "./cache/ensure-cached.js";
export { ensureGoTool } from "./ways/ensure-go-tool.js";
export { findGo } from "./ways/go-build.js";
export { ensureTool } from "./ensure-tool.js";
export { ToolUnavailableError } from "./running/errors.js";
export { exists, readJson, withTemporaryFolder } from "./running/files.js";
export { freePort } from "./running/free-port.js";
export { hostInUrl } from "./running/host-in-url.js";
export { formatDuration, withHeartbeat } from "./running/heartbeat.js";
export { ensureKubernetesProvider } from "./kubernetes-provider.js";
export { withLock } from "./cache/lock.js";
export { type EnsureOptions, reporter } from "./running/options.js";
export {
    checkov,
    ensurePythonPrograms,
    ensurePythonTool,
    hadolint,
    mcpClient,
    moto,
    pythonPrograms,
    type PythonTool,
    schemathesis,
    wapiti,
    zizmor,
} from "./python-tool.js";
export { azurite, ensureNpmPackage, instrumenter, mcpInspector, type NpmPackage } from "./npm-packages.js";
export { ensurePulumi, type Pulumi, type PulumiSource } from "./pulumi.js";
export { CommandError, run, type RunOptions } from "./running/run.js";
export { type GoTool, type ToolName } from "./cache/tools.js";
