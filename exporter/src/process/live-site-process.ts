import { endOf } from "@pulumi-static-export/contract";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { toOneLine } from "../text/strings.js";
import { createBoundedCommand } from "./bounded-command.js";
import { readCurrentPage } from "./current-page.js";
import { describeFailure } from "./describe-failure.js";
import { ExportError } from "./exporter.js";
import { type ExportLimits } from "./export-process.js";
import { type LiveCalls, type LiveRequest, type LiveResponse } from "./live-messages.js";
import { hasParserPanicked } from "./parser-of-page.js";
import { PageTime, usedMsOf } from "./page-time.js";

interface Waiting {
    readonly call: LiveRequest["call"];
    resolve(result: unknown): void;
    reject(error: Error): void;
}

const watchIntervalMs = 500;
const maxStderrLength = 2000;

/**
 * A site in a separate process that renders pages when they are requested. If a page crashes the process or takes too
 * long, all waiting calls fail, and the next call starts another process. If a page ends the native Markdown parser, the
 * waiting calls run again, and the page is read as Markdown.
 */
export class LiveSiteProcess {
    readonly #waiting = new Map<number, Waiting>();
    #child: ChildProcess | undefined;
    #opened: Promise<LiveCalls["open"]["result"]> | undefined;
    #lastId = 0;
    /** The pages at which the native parser has ended a process. */
    readonly #markdownPages: string[] = [];

    /** @param workDir used by this process only */
    constructor(
        private readonly sourceDir: string,
        private readonly workDir: string,
        private readonly limits: Pick<ExportLimits, "memoryMegabytes" | "pageTimeoutMs">,
    ) {
        mkdirSync(workDir, { recursive: true });
    }

    /** Reads the site, unless it was read already. @throws ExportError when the process crashed */
    open(): Promise<LiveCalls["open"]["result"]> {
        this.#opened ??= this.#send({
            name: "open",
            args: [this.sourceDir, this.workDir, this.#markdownPages],
        }) as never;
        return this.#opened;
    }

    /** @throws ExportError when the process crashed */
    async call<Name extends Exclude<keyof LiveCalls, "open">>(
        name: Name,
        ...args: LiveCalls[Name]["args"]
    ): Promise<LiveCalls[Name]["result"]> {
        await this.open();
        return this.#send({ name, args } as never) as never;
    }

    async close(): Promise<void> {
        const child = this.#child;
        if (child !== undefined && child.exitCode === null && child.signalCode === null) {
            const closed = once(child, "close");
            child.kill("SIGKILL");
            await closed;
        }
    }

    #send(call: LiveRequest["call"]): Promise<unknown> {
        this.#child ??= this.#start();
        const liveId = ++this.#lastId;
        const answered = new Promise((resolve, reject) => this.#waiting.set(liveId, { call, resolve, reject }));
        // A process that could not be spawned has no channel: its error rejects the call.
        if (this.#child.connected) {
            this.#child.send({ liveId, call } satisfies LiveRequest, () => undefined);
        }
        return answered;
    }

    async #repeat({ call, resolve, reject }: Waiting): Promise<void> {
        try {
            const opened = await this.open();
            resolve(call.name === "open" ? opened : await this.#send(call));
        } catch (error) {
            reject(error as Error);
        }
    }

    #start(): ChildProcess {
        const { command, args, env } = createBoundedCommand(this.limits.memoryMegabytes, 0);
        const child = spawn(command, args, { env, stdio: ["ignore", "ignore", "pipe", "ipc"], windowsHide: true });
        let stderr = "";
        let reason: string | undefined;
        child.stderr?.setEncoding("utf8").on("data", (text: string) => {
            stderr = endOf(stderr + text, maxStderrLength);
        });
        child.on("message", ({ id, result, error }: LiveResponse) => {
            const waiting = this.#waiting.get(id);
            this.#waiting.delete(id);
            if (error === undefined) {
                waiting?.resolve(result);
            } else {
                waiting?.reject(new ExportError(error));
            }
        });
        const { pageTimeoutMs } = this.limits;
        const pageTime = new PageTime(pageTimeoutMs, readCurrentPage(this.workDir), usedMsOf(child.pid));
        const watch = setInterval(() => {
            const page = readCurrentPage(this.workDir);
            if (pageTime.isOver(page, usedMsOf(child.pid))) {
                reason = `took more than ${pageTimeoutMs / 1000} s of CPU time: make the page simpler`;
                child.kill("SIGKILL");
            }
        }, watchIntervalMs);
        const onEnd = (spawnError?: Error): void => {
            clearInterval(watch);
            if (this.#child !== child) {
                return;
            }
            [this.#child, this.#opened] = [undefined, undefined];
            const { file } = readCurrentPage(this.workDir);
            const what = reason ?? "ended the process that renders pages: its content may be nested too deeply";
            const { message, detail } =
                spawnError === undefined
                    ? { message: toOneLine(`${file || "The site"}: it ${what}`), detail: stderr }
                    : describeFailure(spawnError, { workDir: this.workDir });
            const error = new ExportError(message, detail);
            const failed = [...this.#waiting.values()];
            this.#waiting.clear();
            if (hasParserPanicked(stderr) && file !== "" && !this.#markdownPages.includes(file)) {
                this.#markdownPages.push(file);
                failed.forEach((waiting) => void this.#repeat(waiting));
                return;
            }
            failed.forEach(({ reject }) => reject(error));
        };
        return child.on("close", () => onEnd()).on("error", onEnd);
    }
}
