import { endOf } from "@pulumi-static-export/contract";
import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, existsSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../command-line/usage-error.js";
import { type EventLog, readEventFile } from "./log/read-events.js";

export interface PreviewOptions {
    cwd: string;
    stack?: string | undefined;
    policyPacks: readonly string[];
    policyPackConfigs: readonly string[];
    /** The path for the event log. */
    events?: string | undefined;
    /** Further arguments of `pulumi preview`. */
    args: readonly string[];
    env: NodeJS.ProcessEnv;
}

export interface PreviewRun {
    log: EventLog;
    exitCode: number | null;
    /** The last lines of Pulumi's output. */
    lastOutput: string;
    /** The signal with which the user interrupted Pulumi. */
    interruptedBy: NodeJS.Signals | undefined;
}

const keptOutput = 4000;

/**
 * Runs `pulumi preview` with its event log in a temporary folder. Pulumi's output goes to standard error. Signals are
 * passed on, so that Pulumi exits cleanly; a second signal kills it.
 */
export async function runPreview(options: PreviewOptions): Promise<PreviewRun> {
    const folder = await mkdtemp(join(tmpdir(), "static-export-preview-"));
    try {
        const file = join(folder, "events.jsonl");
        const { exitCode, lastOutput, interruptedBy } = await runPulumi(argumentsOf(options, file), options);
        keep(file, options.events);
        const log = existsSync(file) ? await readEventFile(file) : { events: [], isCut: false };
        return { log, exitCode, lastOutput, interruptedBy };
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
}

/**
 * Copies the log to the user's path. Pulumi does not write to this path itself, because Pulumi would append to an
 * existing file.
 */
function keep(file: string, events: string | undefined): void {
    if (events === undefined) {
        return;
    }
    try {
        rmSync(events, { force: true });
        if (existsSync(file)) {
            copyFileSync(file, events);
        }
    } catch (error) {
        throw new UsageError(`The event log cannot be written to ${events}: ${(error as Error).message}.`);
    }
}

function argumentsOf({ stack, policyPacks, policyPackConfigs, args }: PreviewOptions, file: string): string[] {
    return [
        "preview",
        "--non-interactive",
        ...["--event-log", file],
        ...(stack === undefined ? [] : ["--stack", stack]),
        ...policyPacks.flatMap((pack) => ["--policy-pack", pack]),
        ...policyPackConfigs.flatMap((config) => ["--policy-pack-config", config]),
        ...args,
    ];
}

/** Runs pulumi; its output goes to standard error. @throws UsageError if pulumi or the folder does not exist */
export async function runPulumi(
    args: readonly string[],
    { cwd, env }: Pick<PreviewOptions, "cwd" | "env">,
): Promise<Omit<PreviewRun, "log">> {
    // Runs in its own process group: otherwise, the terminal would send Ctrl-C to Pulumi, too, which aborts on the
    // second signal.
    const child = spawn("pulumi", args, {
        cwd,
        env: { ...env, PULUMI_DEBUG_COMMANDS: "true" },
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
    });
    const passing = passSignals(child);
    let lastOutput = "";
    const onOutput = (text: string): void => {
        process.stderr.write(text);
        lastOutput = endOf(lastOutput + text, keptOutput);
    };
    child.stdout.setEncoding("utf8").on("data", onOutput);
    child.stderr.setEncoding("utf8").on("data", onOutput);
    try {
        const exitCode = await new Promise<number | null>((resolve, reject) => {
            child.once("error", reject).once("close", resolve);
        });
        return { exitCode, lastOutput, interruptedBy: passing.received() };
    } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        throw code === "ENOENT"
            ? new UsageError(
                  existsSync(cwd)
                      ? "pulumi is not on the PATH: install Pulumi (https://www.pulumi.com/docs/install/) and retry."
                      : `There is no folder ${cwd}.`,
              )
            : error;
    } finally {
        passing.stop();
    }
}

/**
 * Passes Ctrl-C and SIGTERM to Pulumi. After the first one, all others are caught until this process exits: one that
 * comes as Pulumi ends must not keep the command from removing its files.
 */
function passSignals(child: ChildProcess): { received(): NodeJS.Signals | undefined; stop(): void } {
    let first: NodeJS.Signals | undefined;
    const pass = (signal: NodeJS.Signals): void => {
        // The first SIGINT cancels Pulumi itself; the second one also ends its children.
        if (first === undefined) {
            child.kill("SIGINT");
        } else {
            killGroup(child);
        }
        first ??= signal;
    };
    const signals = ["SIGINT", "SIGTERM"] as const;
    signals.forEach((signal) => process.on(signal, pass));
    return {
        received: () => first,
        stop: () => first ?? signals.forEach((signal) => process.off(signal, pass)),
    };
}

function killGroup({ pid }: ChildProcess): void {
    if (pid === undefined) {
        return;
    }
    try {
        process.kill(-pid, "SIGKILL");
    } catch {
        // The group has ended.
    }
}
