import { tmpdir } from "node:os";
import { join } from "node:path";
import which from "which";
import { withLock } from "./cache/lock.js";
import { ToolUnavailableError } from "./running/errors.js";
import { withHeartbeat } from "./running/heartbeat.js";
import { type EnsureOptions, reporter } from "./running/options.js";
import { CommandError, run } from "./running/run.js";

/** apt-get fails instead of waiting while another one updates its lists, so only one runs at a time. */
const lockPath = join(tmpdir(), "pulumi-static-export-apt-get.lock");

/**
 * Installs the Debian packages that are missing; needs neither the network nor root if none is missing. Does not start
 * the services that the packages contain.
 *
 * @throws {ToolUnavailableError} when packages are missing and this is not Debian, not root, or apt-get fails.
 */
export async function ensureDebianPackages(names: readonly string[], options: EnsureOptions = {}): Promise<void> {
    const missing = await missingDebianPackages(names);
    if (missing.length === 0) {
        return;
    }
    const list = missing.join(" ");
    const command = `apt-get install --yes --no-install-recommends ${list}`;
    if ((await which("apt-get", { nothrow: true })) === null) {
        throw unavailable(missing, "this system has no apt-get", `Install the programs of these packages by hand.`);
    }
    if (process.getuid?.() !== 0) {
        throw unavailable(missing, "only root may install them", `Run \`sudo ${command}\`, then run this again.`);
    }
    const texts = { started: `installing ${list}`, ended: `Installed ${list}` };
    const report = reporter(options);
    const onWait = () => report(`Waiting for another apt-get before installing ${list} …`);
    await withLock(lockPath, { onWait, signal: options.signal }, () =>
        withHeartbeat(texts, { report }, async () => {
            await aptGet(["update"], missing, options);
            await aptGet(command.split(" ").slice(1), missing, options);
        }),
    );
}

async function missingDebianPackages(names: readonly string[]): Promise<string[]> {
    const query = names.map(async (name) => {
        // The command fails if a package is not installed, and on systems without dpkg.
        const status = await run("dpkg-query", ["--show", "--showformat=${db:Status-Status}", name]).catch(() => "");
        return { name, installed: status === "installed" };
    });
    return (await Promise.all(query)).filter(({ installed }) => !installed).map(({ name }) => name);
}

async function aptGet(args: string[], missing: readonly string[], { signal }: EnsureOptions): Promise<void> {
    try {
        // RUNLEVEL=1 keeps invoke-rc.d from starting the installed services.
        await run("apt-get", args, { env: { DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" }, signal });
    } catch (error) {
        if (!(error instanceof CommandError)) {
            throw error;
        }
        throw unavailable(missing, `\`apt-get ${args[0]}\` failed`, "Its output follows.", error);
    }
}

function unavailable(
    missing: readonly string[],
    reason: string,
    advice: string,
    cause?: CommandError,
): ToolUnavailableError {
    const what = `Debian's ${new Intl.ListFormat("en").format(missing)}`;
    return new ToolUnavailableError(what, [reason], advice, cause?.lastLines(10), { cause });
}
