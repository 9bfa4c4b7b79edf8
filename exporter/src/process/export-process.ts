import { endOf } from "@pulumi-static-export/contract";
import { type ChildProcess, spawn } from "node:child_process";
import { on, once } from "node:events";
import { rmSync, readdirSync, statSync } from "node:fs";
import { EntryFile } from "../read/files/entry-file.js";
import { toOneLine } from "../text/strings.js";
import { createBoundedCommand } from "./bounded-command.js";
import { describeFailure } from "./describe-failure.js";
import { readCurrentPage } from "./current-page.js";
import { ExportError, type ExportControl, type ExportRequest, type ResultOf } from "./exporter.js";
import { type ExportProcessMessage } from "./export-process-message.js";
import { hasParserPanicked } from "./parser-of-page.js";
import { PageTime, usedMsOf } from "./page-time.js";
import { join } from "node:path";

export interface ExportLimits {
    /** The number of threads that render the pages of an export. @default 1 */
    cores?: number;
    /** Size of the JavaScript heap; the rest of the process may use half a gigabyte more. */
    memoryMegabytes: number;
    /** The disk space for a job's output and the cache of the job's domain together. */
    diskMegabytes: number;
    jobTimeoutMs: number;
    pageTimeoutMs: number;
}

/** Thrown if a job uses more disk space than allowed. */
class DiskLimitError extends ExportError {
    constructor(megabytes: number) {
        super(
            `The export and the cache of its site used more than ${megabytes} MB of disk, the service's limit: ` +
                "make the site's pages shorter, or raise --export-disk-mb.",
        );
    }
}

/** Thrown if something outside of the service has ended the process, such as the kernel when memory is short. */
export class KilledExportError extends ExportError {
    constructor(readonly signal: NodeJS.Signals) {
        super(`The system or another program killed the export (${signal}).`);
    }
}

/** Thrown if the content of a site has ended the process, such as a page that needs too much memory. */
export class CrashedExportError extends ExportError {}

/** Thrown if the native Markdown parser has ended the process. */
export class ParserPanicError extends CrashedExportError {
    /** @param page empty if several threads were reading pages */
    constructor(
        readonly page: string,
        detail: string,
    ) {
        const where = page === "" ? "" : `${toOneLine(page)}: `;
        super(`${where}a fault in the Markdown parser ended the export: rewrite this page`, detail);
    }
}

/** Our own stops have other errors, and a process that exceeds its limits aborts itself. */
const outsideSignals: readonly NodeJS.Signals[] = ["SIGKILL", "SIGTERM", "SIGINT", "SIGQUIT", "SIGHUP"];

const watchIntervalMs = 200;
const maxStderrLength = 4000;

/** A process that exports sites, one at a time. A process that has crashed or ended accepts no more jobs. */
export class ExportProcess {
    readonly #child: ChildProcess;
    readonly #exited: Promise<unknown>;
    readonly #limits: ExportLimits;
    #stderr = "";
    #alive = true;
    #spawnError: Error | undefined;

    constructor(limits: ExportLimits) {
        this.#limits = limits;
        const { command, args, env } = createBoundedCommand(limits.memoryMegabytes, undefined, limits.cores);
        this.#child = spawn(command, args, { env, stdio: ["ignore", "ignore", "pipe", "ipc"], windowsHide: true });
        this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
            this.#stderr = endOf(this.#stderr + text, maxStderrLength);
        });
        const onEnd = (): void => void (this.#alive = false);
        this.#child.on("close", onEnd).on("error", (error) => {
            this.#spawnError = error;
            onEnd();
        });
        // If the process cannot be spawned, the job reports the failure.
        this.#exited = once(this.#child, "close").catch(() => undefined);
    }

    get alive(): boolean {
        return this.#alive;
    }

    /** If the process crashes, times out or is aborted, rejects after the process has ended. */
    async run<R extends ExportRequest>(request: R, control: ExportControl): Promise<ResultOf<R>> {
        let stopped: unknown;
        const stop = (reason: unknown): void => {
            stopped ??= reason;
            this.#child.kill("SIGKILL");
        };
        const onAbort = (): void => stop(control.signal.reason);
        control.signal.addEventListener("abort", onAbort);
        const watch = this.#watch(request, stop);
        try {
            control.signal.throwIfAborted();
            if (this.#child.pid === undefined) {
                await this.#exited;
                const { message, detail } = describeFailure(this.#spawnError, request);
                throw new ExportError(message, detail);
            }
            // The loop ends when the process ends.
            const messages = on(this.#child, "message", { close: ["close"] }) as AsyncIterable<[ExportProcessMessage]>;
            this.#child.send(request, () => undefined);
            for await (const [message] of messages) {
                switch (message.kind) {
                    case "progress":
                        control.onProgress(message.progress, message.pageCount);
                        break;
                    case "failure":
                        if (message.isStuck === true) {
                            await this.end();
                            throw new CrashedExportError(message.message);
                        }
                        throw new ExportError(message.message, message.detail, message.warnings);
                    case "result":
                        return message.result as ResultOf<R>;
                }
            }
            throw (stopped as Error | undefined) ?? this.#crash(request.workDir);
        } catch (error) {
            if (!this.#alive) {
                dropUnsaved(request, error);
            }
            throw error;
        } finally {
            clearInterval(watch);
            control.signal.removeEventListener("abort", onAbort);
        }
    }

    /** Resolves when the process has exited. */
    async end(): Promise<void> {
        this.#child.kill("SIGKILL");
        await this.#exited;
    }

    /** Stops a job that exceeds the time for an export or a page, or its disk space. */
    #watch({ workDir, cacheDir }: ExportRequest, stop: (reason: ExportError) => void): NodeJS.Timeout {
        const { jobTimeoutMs, pageTimeoutMs, diskMegabytes } = this.#limits;
        const startedMs = performance.now();
        const { pid } = this.#child;
        const pageTime = new PageTime(pageTimeoutMs, readCurrentPage(workDir), usedMsOf(pid));
        return setInterval(() => {
            const nowMs = performance.now();
            const page = readCurrentPage(workDir);
            if (pageTime.isOver(page, usedMsOf(pid))) {
                const limit = `${pageTimeoutMs / 1000} s of CPU time`;
                stop(
                    new ExportError(`${toOneLine(page.file)}: the page took more than ${limit}: make the page simpler`),
                );
            }
            if (bytesIn([workDir, cacheDir]) > diskMegabytes * 2 ** 20) {
                stop(new DiskLimitError(diskMegabytes));
            }
            if (nowMs - startedMs > jobTimeoutMs) {
                stop(
                    new ExportError(
                        `The export took longer than ${jobTimeoutMs / 1000} s, the service's limit: ` +
                            "make the site smaller, or raise --job-timeout-seconds.",
                    ),
                );
            }
        }, watchIntervalMs);
    }

    #crash(workDir: string): ExportError {
        const { exitCode, signalCode } = this.#child;
        const { memoryMegabytes } = this.#limits;
        if (signalCode !== null && outsideSignals.includes(signalCode)) {
            return new KilledExportError(signalCode);
        }
        const page = readCurrentPage(workDir).file;
        const detail = `export process ended with ${signalCode ?? `exit code ${exitCode}`}: ${this.#stderr}`;
        if (hasParserPanicked(this.#stderr)) {
            return new ParserPanicError(page, detail);
        }
        const outOfMemory =
            /heap out of memory|allocation failed|bad_alloc|ENOMEM/i.test(this.#stderr) ||
            ["SIGABRT", "SIGTRAP", "SIGILL"].includes(signalCode ?? "") ||
            exitCode === 134;
        const what = outOfMemory
            ? `ran out of memory (its limit is ${memoryMegabytes} MB)`
            : ["SIGSEGV", "SIGBUS"].includes(signalCode ?? "")
              ? "overflowed the stack: its content is nested too deeply"
              : "crashed";
        return new CrashedExportError(
            page === "" ? `The export ${what}.` : toOneLine(`${page}: exporting this page ${what}`),
            detail,
        );
    }
}

/** Removes what a killed process added to the cache, or the whole cache if it has grown too large. */
function dropUnsaved({ cacheDir, domain }: ExportRequest, error: unknown): void {
    try {
        if (error instanceof DiskLimitError) {
            rmSync(cacheDir, { recursive: true, force: true });
        } else {
            EntryFile.dropUnsaved(cacheDir, domain);
        }
    } catch {
        // Ignores the error: the next export tries again, and the job's own error is more useful.
    }
}

/**
 * The total size in bytes of the files in some folders. Counts a file with two names once, and ignores deleted files.
 */
function bytesIn(folders: readonly string[]): number {
    const files = folders.flatMap((folder) => listFiles(folder));
    const sizes = new Map<number, number>();
    for (const file of files) {
        const { ino, size } = statSync(file, { throwIfNoEntry: false }) ?? { ino: 0, size: 0 };
        sizes.set(ino, size);
    }
    return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

function listFiles(folder: string): string[] {
    try {
        return readdirSync(folder).map((name) => join(folder, name));
    } catch {
        return [];
    }
}
