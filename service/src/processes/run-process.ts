import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type Readable, type Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { sayReached } from "../shared/reached-limit.js";

export interface ProcessRequest {
    /** The program and its arguments, without a shell. */
    command: readonly [string, ...string[]];
    cwd: string;
    /** The whole environment. */
    env: Readonly<Record<string, string>>;
    stdin?: string | undefined;
    /** Data that the program reads once from file descriptor 3, because its environment must not contain it. */
    secret?: string | undefined;
    timeLimitMs: number;
    /** Whether a chunk of output shows progress. The time limit is then the time without progress. */
    showsProgress?: ((chunk: Buffer, isError: boolean) => boolean) | undefined;
    /** When aborted, ends the process group and rejects with the signal's reason. */
    signal?: AbortSignal | undefined;
    /** @param isError - whether the chunk is of standard error */
    onOutput: (chunk: Buffer, isError: boolean) => void;
    /** Called once a second, and at the end; may return a reason to end the process. */
    findExcess?: () => Promise<string | undefined>;
}

const graceMs = 2000;
const lookEveryMs = 1000;

/**
 * Runs a program in its own process group, and ends the whole group with it: SIGTERM, then SIGKILL. Resolves to
 * the reason for a failure, or to undefined if it exited with 0.
 */
export async function runProcess(request: ProcessRequest): Promise<string | undefined> {
    const { command, cwd, env, stdin, secret, timeLimitMs, showsProgress, signal, onOutput, findExcess } = request;
    signal?.throwIfAborted();
    const [program, ...args] = command;
    const child = spawn(program, args, {
        cwd,
        env,
        detached: true,
        stdio: ["pipe", "pipe", "pipe", ...(secret === undefined ? [] : ["pipe" as const])],
    });
    let reason: string | undefined;
    const ended = new AbortController();
    const exited = new Promise<string | undefined>((resolve) => {
        child.once("error", (error) => resolve(`cannot be started: ${error.message}`));
        child.once("exit", (code, killedBy) => {
            resolve(code === 0 ? undefined : code === null ? `was ended by ${killedBy}` : `exited with code ${code}`);
        });
    });
    const end = (why: string): void => {
        reason ??= why;
        signalGroup(child.pid, "SIGTERM");
        void sleep(graceMs, undefined, { signal: ended.signal }).then(
            () => signalGroup(child.pid, "SIGKILL"),
            () => undefined,
        );
    };
    const abort = (): void => end("was stopped");
    signal?.addEventListener("abort", abort, { once: true });
    const limitSeconds = Math.round(timeLimitMs / 1000);
    const tooLong =
        showsProgress === undefined ? sayReached("time", limitSeconds) : `made no progress for ${limitSeconds} s`;
    const startTimer = () => setTimeout(() => end(tooLong), timeLimitMs);
    let timer = startTimer();
    const take = (chunk: Buffer, isError: boolean): void => {
        onOutput(chunk, isError);
        if (showsProgress?.(chunk, isError) === true && reason === undefined) {
            clearTimeout(timer);
            timer = startTimer();
        }
    };
    if (findExcess !== undefined) {
        void watch(findExcess, end, ended.signal);
    }
    for (const stream of [child.stdout, child.stderr]) {
        stream.on("error", () => undefined);
    }
    child.stdout.on("data", (chunk: Buffer) => take(chunk, false));
    child.stderr.on("data", (chunk: Buffer) => take(chunk, true));
    writeAll(child.stdin, stdin ?? "");
    if (secret !== undefined) {
        writeAll(child.stdio[3] as Writable, secret);
    }
    try {
        const failure = await exited;
        signal?.throwIfAborted();
        // A full disk or control group may end the program, or one of its children, before this process looks.
        return reason ?? (await findExcess?.()) ?? failure;
    } finally {
        clearTimeout(timer);
        ended.abort();
        signal?.removeEventListener("abort", abort);
        signalGroup(child.pid, "SIGKILL");
        await drained(child.stdout, child.stderr);
    }
}

/** Writes a program's input. Errors are ignored, because the program need not read its input. */
function writeAll(stream: Writable, text: string): void {
    stream.on("error", () => undefined);
    stream.end(text);
}

async function watch(
    findExcess: () => Promise<string | undefined>,
    end: (why: string) => void,
    signal: AbortSignal,
): Promise<void> {
    while (!signal.aborted) {
        const excess = await findExcess();
        if (excess !== undefined) {
            end(excess);
            return;
        }
        await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined);
    }
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
    if (pid === undefined) {
        return;
    }
    try {
        process.kill(-pid, signal);
    } catch {
        // The group has already ended.
    }
}

/** Waits briefly for the last output; a process that left the group may keep the pipes open indefinitely. */
async function drained(...streams: Readable[]): Promise<void> {
    const closed = streams.filter((stream) => !stream.closed).map((stream) => once(stream, "close"));
    const patience = new AbortController();
    await Promise.race([Promise.all(closed), sleep(500, undefined, { signal: patience.signal })]);
    patience.abort();
    streams.forEach((stream) => stream.destroy());
}

/** Resolves to the exit code of a program that has just been started; null if a signal ended it or it cannot start. */
export function exitCodeOf(child: ChildProcess): Promise<number | null> {
    return once(child, "exit").then(
        ([code]) => code as number | null,
        () => null,
    );
}
