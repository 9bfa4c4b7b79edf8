import {
    ensureDebianPackages,
    ensureKubernetesProvider,
    ensurePulumi,
    ensurePythonTool,
    ensureTool,
    schemathesis,
} from "@pulumi-static-export/toolchain";

/**
 * Gets what specs run against: the engine, its plugins, Helm, an S3 server, a checker of workflows; and, where they can
 * be installed, a web server and a browser. Specs that miss one of the latter skip and say so.
 *
 * @throws {ToolUnavailableError} when one of the former cannot be had.
 */
export async function prepareTools(onProgress: (line: string) => void): Promise<void> {
    const optional = (attempt: Promise<unknown>) =>
        attempt.catch((error: Error) => onProgress(`${error.message} Specs that need one are skipped.`));
    const installed = optional(ensureDebianPackages(["nginx-light", "busybox-static", "chromium"], { onProgress }));
    const conformance = optional(ensurePythonTool(schemathesis, { onProgress }));
    await ensureTool("versitygw", { onProgress });
    await ensureTool("helm", { onProgress });
    await ensureTool("actionlint", { onProgress });
    await ensurePulumi({ onProgress });
    await ensureKubernetesProvider({ onProgress });
    await Promise.all([installed, conformance]);
}
