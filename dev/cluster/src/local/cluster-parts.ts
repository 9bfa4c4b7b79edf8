import { ensureGoTool, ensureTool, type EnsureOptions } from "@pulumi-static-export/toolchain";
import { kubernetesNode } from "./node/kubernetes-node.js";
import { ensureNodeRoot } from "./node/node-root.js";
import { missingRequirements } from "./node/requirements.js";

/**
 * Builds the parts of a local cluster, so that its start takes seconds. Does nothing on a machine that cannot run a
 * local cluster.
 *
 * @throws {ToolUnavailableError} when a part can be neither downloaded nor built.
 */
export async function ensureClusterParts(options: EnsureOptions): Promise<void> {
    if ((await missingRequirements()).length === 0) {
        await ensureNodeRoot(options);
        await ensureGoTool(kubernetesNode, options);
        await ensureTool("kube-router", options);
    }
}
