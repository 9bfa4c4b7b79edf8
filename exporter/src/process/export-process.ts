import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { toOneLine } from "../text/one-line.js";
import { createBoundedCommand } from "./bounded-command.js";
import { readCurrentPage } from "./current-page.js";
import { ExportError } from "./export-error.js";
import { type ExportProcessMessage } from "./export-process-message.js";
import { type ExportControl, type ExportRequest, type ExportResult } from "./exporter.js";

export interface ExportLimits {
    /** Size of the JavaScript heap; the rest of the process may use half a gigabyte more. */
    memoryMegabytes: number;
    jobTimeoutMs: number;
    pageTimeoutMs: number;
}

const watchIntervalMs = 200;
const maxStderrLength = 4000;

/** A process that exports sites, one at a time. After a crash or its end it accepts no more jobs. */
export class ExportProcess {
    readonly #child: ChildProcess;
    readonly #exited: Promise<unknown>;
    readonly #limits: ExportLimits;
    #stderr = "";
    #alive = true;

    constructor(limits: ExportLimits) {
        this.#limits = limits;
        const { command, args, env } = createBoundedCommand(limits.memoryMegabytes);
        this.#child = spawn(command, args, { env, stdio: ["ignore", "ignore", "pipe", "ipc"], windowsHide: true });
        this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
            this.#stderr = (this.#stderr + text).slice(-maxStderrLength);
        });
        this.#exited = once(this.#child, "close").finally(() => {
            this.#alive = false;
        });
        // If the process cannot be spawned, the job that waits for it reports that.
        this.#exited.catch(() => undefined);
    }

    get alive(): boolean {
        return this.#alive;
    }

    /** Rejects when the process crashed, took too long or was aborted; it has ended by then. */
    async run(request: ExportRequest, control: ExportControl): Promise<ExportResult> {
        let stopped: unknown;
        const stop = (reason: unknown): void => {
            stopped ??= reason;
            this.#child.kill("SIGKILL");
        };
        const onAbort = (): void => stop(control.signal.reason);
        control.signal.addEventListener("abort", onAbort);
        const watch = this.#watch(request.workDir, stop);
        try {
            control.signal.throwIfAborted();
            const answer = await Promise.race([this.#answer(request, control), this.#exited.then(() => undefined)]);
            if (answer === undefined) {
                throw (stopped as Error | undefined) ?? this.#crash(request.workDir);
            }
            if (answer.kind === "failure") {
                throw new ExportError(answer.message, answer.detail, answer.warnings);
            }
            return answer.result;
        } finally {
            clearInterval(watch);
            control.signal.removeEventListener("abort", onAbort);
            this.#child.removeAllListeners("message");
        }
    }

    /** Resolves when the process has exited. */
    async end(): Promise<void> {
        this.#child.kill("SIGKILL");
        await this.#exited.catch(() => undefined);
    }

    #answer(
        request: ExportRequest,
        control: ExportControl,
    ): Promise<Exclude<ExportProcessMessage, { kind: "progress" }>> {
        return new Promise((resolve) => {
            this.#child.on("message", (message: ExportProcessMessage) => {
                if (message.kind === "progress") {
                    control.onProgress(message.progress, message.pageCount);
                } else {
                    resolve(message);
                }
            });
            // The exit handler notices a process that has ended.
            this.#child.send(request, () => undefined);
        });
    }

    /** Stops a job that takes too long, as a whole or with one page. */
    #watch(workDir: string, stop: (reason: ExportError) => void): NodeJS.Timeout {
        const { jobTimeoutMs, pageTimeoutMs } = this.#limits;
        const startedMs = performance.now();
        let page = readCurrentPage(workDir);
        let pageStartedMs = startedMs;
        return setInterval(() => {
            const nowMs = performance.now();
            const current = readCurrentPage(workDir);
            if (current?.count !== page?.count) {
                page = current;
                pageStartedMs = nowMs;
            } else if (page !== undefined && page.file !== "" && nowMs - pageStartedMs > pageTimeoutMs) {
                const file = toOneLine(page.file);
                stop(new ExportError(`${file}: the page took longer than ${pageTimeoutMs / 1000} s; make it simpler`));
            }
            if (nowMs - startedMs > jobTimeoutMs) {
                stop(
                    new ExportError(
                        `The export took longer than ${jobTimeoutMs / 1000} s, the service's limit: ` +
                            "make the site smaller, or raise the limit.",
                    ),
                );
            }
        }, watchIntervalMs);
    }

    #crash(workDir: string): ExportError {
        const { exitCode, signalCode } = this.#child;
        const { memoryMegabytes } = this.#limits;
        const outOfMemory =
            /heap out of memory|allocation failed|bad_alloc|ENOMEM/i.test(this.#stderr) ||
            ["SIGABRT", "SIGKILL", "SIGTRAP", "SIGILL"].includes(signalCode ?? "") ||
            exitCode === 134;
        const what = outOfMemory
            ? `ran out of memory (the service's limit is ${memoryMegabytes} MB)`
            : ["SIGSEGV", "SIGBUS"].includes(signalCode ?? "")
              ? "overflowed the stack: its content is nested too deeply"
              : "crashed";
        const page = readCurrentPage(workDir)?.file ?? "";
        return new ExportError(
            page === "" ? `The export ${what}.` : toOneLine(`${page}: exporting this page ${what}`),
            `export process ended with ${signalCode ?? `exit code ${exitCode}`}: ${this.#stderr}`,
        );
    }
}
