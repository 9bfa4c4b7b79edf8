import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { type Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { cpuSecondsOfChildren } from "../cpu-seconds.js";
import { memoryOf } from "../memory-of.js";

/** The cost of one process, including every process it started. */
export interface Usage {
    readonly wallSeconds: number;
    readonly cpuSeconds: number;
    /** The memory of the largest process, not the sum of all processes. */
    readonly peakMegabytes: number;
}

export interface Command {
    /** @default Node.js */
    readonly program?: string;
    /** Arguments for Node.js: a script and its arguments. */
    readonly args: readonly string[];
    readonly cwd: string;
    /**
     * Communicates with the process; if this function is set, the process gets a channel for messages. Must settle when
     * the process has ended.
     */
    readonly talk?: (child: ChildProcess) => Promise<void>;
}

/** Turns off prompts, telemetry and update checks. */
const quiet = {
    CI: "1",
    NO_COLOR: "1",
    NODE_ENV: "production",
    NO_UPDATE_NOTIFIER: "1",
};

const lookIntervalMs = 50;

/**
 * Runs a program until it exits. Works only on Linux, because CPU time and memory come from /proc. Run only one process
 * at a time.
 *
 * @throws Error with the end of the output if the process fails
 */
export async function runMeasured({ program = process.execPath, args, cwd, talk }: Command): Promise<Usage> {
    const cpuBefore = cpuSecondsOfChildren();
    const startedMs = performance.now();
    const env = { ...process.env, ...quiet };
    const channel = talk === undefined ? [] : (["ipc"] as const);
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe", ...channel] });
    let peakMegabytes = 0;
    const watch = setInterval(() => {
        peakMegabytes = Math.max(peakMegabytes, ...memoryOfTree(`${child.pid}`));
    }, lookIntervalMs);
    const talked = talk?.(child);
    // A failure is thrown when the process has ended.
    talked?.catch(() => child.kill());
    const output = Promise.all([text(child.stdout as Readable), text(child.stderr as Readable)]);
    try {
        const [exitCode] = (await once(child, "exit")) as [number | null];
        const wallSeconds = (performance.now() - startedMs) / 1000;
        await talked;
        if (exitCode !== 0) {
            throw new Error(`${args.join(" ")} ended with ${exitCode}:\n${(await output).join("\n").slice(-3000)}`);
        }
        return { wallSeconds, cpuSeconds: cpuSecondsOfChildren() - cpuBefore, peakMegabytes };
    } finally {
        clearInterval(watch);
    }
}

function memoryOfTree(pid: string): number[] {
    try {
        const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
            readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" "),
        );
        return [memoryOf(pid, "peak"), ...children.filter((child) => child !== "").flatMap(memoryOfTree)];
    } catch {
        return [0]; // It ended meanwhile.
    }
}
