export * from "./cluster/index.js";
export { ensureDebianPackages } from "./debian-packages.js";
export { ensureTool } from "./ensure-tool.js";
export { ToolUnavailableError } from "./errors.js";
export { ensureKubernetesProvider } from "./kubernetes-provider.js";
export { type EnsureOptions } from "./options.js";
export { ensurePulumi, type Pulumi, type PulumiSource } from "./pulumi.js";
export { type ToolName } from "./tools.js";
