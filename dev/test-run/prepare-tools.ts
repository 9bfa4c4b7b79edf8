import { ensureClusterParts } from "@pulumi-static-export/cluster";
import {
    azurite,
    ensureDebianPackages,
    ensureKubernetesProvider,
    ensureNpmPackage,
    ensurePulumi,
    ensurePythonPrograms,
    ensurePythonTool,
    ensureTool,
    moto,
    pythonPrograms,
    schemathesis,
} from "@pulumi-static-export/toolchain";
import { runTwoAtATime } from "./two-at-a-time.js";

/**
 * Gets the tools that specs use: the engine, its plugins, Helm, an S3 server, a workflow checker, the local cluster's
 * parts; and, if they can be installed, a web server, a browser, a database server and a sandbox. If an optional tool
 * is missing, its specs are skipped and say so.
 * @throws {ToolUnavailableError} when a required tool cannot be obtained.
 */
export async function prepareTools(onProgress: (line: string) => void): Promise<void> {
    const optional = (attempt: Promise<unknown>) =>
        attempt.catch((error: Error) => onProgress(`${error.message} Specs that need one are skipped.`));
    const options = { onProgress };
    // The smallest first.
    const tools: (() => Promise<unknown>)[] = [
        () => ensureTool("actionlint", options),
        () => ensureTool("versitygw", options),
        () => ensureTool("helm", options),
        () => ensureTool("oauth2-proxy", options),
        () => ensurePulumi(options),
        () => ensureTool("pulumi-language-yaml", options),
        () => ensureTool("pulumi-language-python", options),
        () => ensureTool("pulumi-language-go", options),
        () => ensureTool("pulumi-sdk-generator", options),
        () => ensureClusterParts(options),
        () => ensureKubernetesProvider(options),
    ];
    await Promise.all([
        runTwoAtATime(tools),
        optional(
            ensureDebianPackages(
                [
                    "nginx-light",
                    "libnginx-mod-http-js",
                    "busybox-static",
                    "chromium",
                    "postgresql",
                    "pgbouncer",
                    "bubblewrap",
                    "yamllint",
                ],
                options,
            ),
        ),
        optional(ensurePythonTool(schemathesis, options)),
        optional(ensurePythonPrograms(pythonPrograms, options)),
        optional(ensurePythonPrograms(moto, options)),
        optional(ensureNpmPackage(azurite, options)),
    ]);
}
