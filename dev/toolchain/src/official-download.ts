import path from "node:path";
import { fileURLToPath } from "node:url";
import { ToolUnavailableError } from "./errors.js";
import { withHeartbeat } from "./heartbeat.js";
import { type EnsureOptions, reporter } from "./options.js";
import { CommandError, run } from "./run.js";

/**
 * Enough for a hundred megabytes on a slow line. Without a network it fails within a second; where packets are dropped,
 * after the ten that Node's fetch gives a connection.
 */
const timeoutMs = 10 * 60_000;

/** A process of its own, because `PulumiCommand.install` has no way to be stopped. */
const installScript = `
    const { PulumiCommand } = require("@pulumi/pulumi/automation");
    const { SemVer } = require("semver");
    const [root, version] = process.argv.slice(1);
    PulumiCommand.install({ root, version: new SemVer(version) }).catch((error) => {
        console.error(error.message);
        process.exitCode = 1;
    });`;

/**
 * Downloads the official Pulumi CLI, in the way of Pulumi's own Automation API, and returns its folder in `partialFolder`.
 *
 * @throws {ToolUnavailableError} when it cannot be downloaded.
 */
export async function downloadPulumi(version: string, partialFolder: string, options: EnsureOptions): Promise<string> {
    const { signal } = options;
    const root = path.join(partialFolder, "pulumi");
    const texts = { started: `downloading pulumi ${version}`, ended: `Downloaded pulumi ${version}` };
    try {
        await withHeartbeat(texts, { report: reporter(options) }, () =>
            run(process.execPath, ["--input-type=commonjs", "-e", installScript, root, version], {
                cwd: fileURLToPath(new URL("..", import.meta.url)),
                timeoutMs,
                signal,
            }),
        );
    } catch (error) {
        if (!(error instanceof CommandError)) {
            throw error;
        }
        throw new ToolUnavailableError(
            `pulumi ${version}`,
            [`the official download failed (${error.lastLine})`],
            "Check the network, then run this again.",
            "",
            { cause: error },
        );
    }
    return root;
}
