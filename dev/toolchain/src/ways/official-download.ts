import path from "node:path";
import { fileURLToPath } from "node:url";
import { ToolUnavailableError } from "../running/errors.js";
import { withHeartbeat } from "../running/heartbeat.js";
import { type EnsureOptions, reporter } from "../running/options.js";
import { CommandError, run } from "../running/run.js";

/**
 * This timeout is long enough for a hundred megabytes on a slow connection. Without a network, the download fails
 * within a second. If packets are dropped, the download fails after the ten seconds that Node's fetch allows for
 * connecting.
 */
const timeoutMs = 10 * 60_000;

/** Runs in a separate process, because `PulumiCommand.install` cannot be aborted. */
const installScript = `
    const { PulumiCommand } = require("@pulumi/pulumi/automation");
    const { SemVer } = require("semver");
    const [root, version] = process.argv.slice(1);
    PulumiCommand.install({ root, version: new SemVer(version) }).catch((error) => {
        console.error(error.message);
        process.exitCode = 1;
    });`;

/**
 * Downloads the official Pulumi CLI with the Automation API, and returns its folder inside `partialFolder`.
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
                cwd: fileURLToPath(new URL("../..", import.meta.url)),
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
