import { type BuilderSettings } from "@pulumi-static-export/exporter";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { opendir, stat } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The site's own builder failed. */
export class BuilderError extends Error {
    override readonly name = "BuilderError";
}

/** How long processes may run after they were asked to end. */
const defaultGraceMs = 5000;

/** The clock of a file system may be this much behind. */
const clockToleranceMs = 2000;

/**
 * Runs the site's own builder like the writer does in a terminal, without a sandbox. Its log goes to stderr.
 * @returns the folder that the builder wrote
 * @throws BuilderError, or the signal's reason after all processes of the command have ended
 */
export async function runBuilder(
    folder: string,
    { command, outputFolder, baseFolder }: BuilderSettings,
    signal: AbortSignal,
    { graceMs = defaultGraceMs, clock = Date.now }: { graceMs?: number; clock?: () => number } = {},
): Promise<string> {
    const { adviceOnOutput, readTheDocsOutput } = await import("@pulumi-static-export/exporter");
    signal.throwIfAborted();
    const base = resolve(folder, baseFolder);
    const startedAt = clock();
    // Windows has no process groups.
    const detached = process.platform !== "win32";
    const child = spawn(`${detached ? "set -e\n" : ""}${command}`, {
        cwd: base,
        shell: true,
        detached,
        stdio: ["ignore", process.stderr, process.stderr],
        env: {
            ...process.env,
            // The programs of the site come before those of the machine, as in npm scripts.
            PATH: [join(base, "node_modules/.bin"), process.env["PATH"] ?? ""].join(delimiter),
            READTHEDOCS_OUTPUT: join(base, readTheDocsOutput),
        },
    });
    const { pid } = child;
    let ended: Promise<void> | undefined;
    const end = () => void (ended ??= pid === undefined ? undefined : endProcesses(detached ? -pid : pid, graceMs));
    signal.addEventListener("abort", end);
    let exit: [exitCode: number | null, killedBy: NodeJS.Signals | null];
    try {
        exit = (await once(child, "close")) as typeof exit;
    } catch (error) {
        throw new BuilderError(`${command} cannot run in ${base}: ${(error as Error).message}`);
    } finally {
        signal.removeEventListener("abort", end);
    }
    await ended;
    signal.throwIfAborted();
    const [exitCode, killedBy] = exit;
    if (exitCode !== 0) {
        throw new BuilderError(`${command} ended with ${killedBy ?? `exit code ${exitCode}`}: see its log above.`);
    }
    const output = join(base, outputFolder);
    if (!statSync(output, { throwIfNoEntry: false })?.isDirectory()) {
        throw new BuilderError(
            `${command} wrote no folder ${outputFolder}: correct --output-folder${adviceOnOutput(base)}.`,
        );
    }
    if (!(await hasChangedSince(output, startedAt - clockToleranceMs))) {
        console.error(
            `warning: ${command} wrote nothing to ${outputFolder}: the site comes from an earlier build. If it ` +
                "should be new, correct --command or --output-folder.",
        );
    }
    return output;
}

/** Whether a folder, or anything in it, has changed since a time. */
async function hasChangedSince(folder: string, timeMs: number): Promise<boolean> {
    const isNew = async (path: string) => (await stat(path)).ctimeMs >= timeMs;
    if (await isNew(folder)) {
        return true;
    }
    for await (const entry of await opendir(folder, { recursive: true })) {
        if (await isNew(join(entry.parentPath, entry.name)).catch(() => false)) {
            return true;
        }
    }
    return false;
}

const lookEveryMs = 50;

/** Asks processes to end, and kills those that still run after the grace period. */
async function endProcesses(id: number, graceMs: number): Promise<void> {
    const send = (signal: NodeJS.Signals | 0) => {
        try {
            return process.kill(id, signal);
        } catch {
            return false;
        }
    };
    send("SIGTERM");
    for (let waitedMs = 0; waitedMs < graceMs && send(0); waitedMs += lookEveryMs) {
        await sleep(lookEveryMs);
    }
    send("SIGKILL");
}
