import { createWriteStream, existsSync, type WriteStream } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { toOneLine } from "@pulumi-static-export/exporter";
import { type Attempt } from "../jobs/attempts.js";
import { aboutEnd, endFollows } from "../output/long-output.js";
import { SecretFilter, Secrets } from "../output/secret-filter.js";
import { type ServiceLogger } from "../shared/logger.js";
import { type AgentLogs } from "../storage/agent-logs.js";

/** The end of a long output is also in the log, because agents print there why they failed. */
const maxEndBytes = 16 * 1024;

/**
 * The log of a job: the output of the agent, of each run at most a number of bytes and its end, and the results of its
 * runs, without secret values.
 */
export class RunLog {
    readonly #file: WriteStream;
    readonly #secrets: Secrets;
    readonly #outputs: readonly [SecretFilter, SecretFilter];
    #bytesLeft: number;
    /** Output beyond the limit. */
    #beyond: { bytes: number; end: Buffer } | undefined;
    #endsLine = true;

    constructor(path: string, options: { maxBytes: number; secrets: readonly string[] }) {
        this.#file = createWriteStream(path, { flags: "a", mode: 0o600 });
        this.#file.on("error", () => undefined);
        this.#bytesLeft = options.maxBytes;
        this.#secrets = new Secrets(options.secrets);
        const output = () => new SecretFilter(this.#secrets, (text) => this.#write(text), { keepsStyles: true });
        this.#outputs = [output(), output()];
    }

    /** Adds output of the agent. @param isError - of the other of its two streams */
    readonly addOutput = (chunk: Buffer, isError = false): void => this.#outputs[isError ? 1 : 0].addOutput(chunk);

    /** Adds what was held back until the output has ended. */
    readonly endOutput = (): void => {
        this.#outputs.forEach((output) => output.end());
        if (this.#beyond !== undefined) {
            const end = this.#beyond.end.subarray(-maxEndBytes);
            const missing = this.#beyond.bytes - end.length;
            this.#beyond = undefined;
            this.#line(aboutEnd(missing));
            // The cut may be within a character.
            this.#append(missing === 0 ? end : end.subarray(end.indexOf("\n") + 1));
        }
    };

    /** Adds a line about the run, regardless of the limit. */
    note(line: string): void {
        const safe = this.withoutSecrets(line).replace(/[^\P{C}\n]/gu, "?");
        this.#line(`[${new Date().toISOString()}] ${safe}`);
    }

    /** A line that may quote the output of a repository's hooks, or a forge's answers, for logs. */
    withoutSecrets(line: string): string {
        return this.#secrets.remove(line);
    }

    /**
     * Resolves when the operating system has accepted or refused everything: from then on, killing this process loses
     * nothing.
     */
    flush(): Promise<void> {
        return new Promise((resolve) => this.#file.write("", () => resolve()));
    }

    async close(): Promise<void> {
        this.endOutput();
        this.#file.end();
        await finished(this.#file).catch(() => undefined);
    }

    #write(text: string): void {
        const content = Buffer.from(text);
        const shown = content.subarray(0, this.#bytesLeft);
        this.#bytesLeft -= shown.length;
        this.#append(shown);
        const hidden = content.subarray(shown.length);
        if (hidden.length === 0) {
            return;
        }
        if (this.#beyond === undefined) {
            this.#line(endFollows("agent"));
            this.#beyond = { bytes: 0, end: Buffer.alloc(0) };
        }
        this.#beyond.bytes += hidden.length;
        const end = Buffer.concat([this.#beyond.end, hidden]);
        this.#beyond.end = end.length > 2 * maxEndBytes ? end.subarray(-maxEndBytes) : end;
    }

    #line(text: string): void {
        this.#append(Buffer.from(`${this.#endsLine ? "" : "\n"}${text}\n`));
    }

    #append(content: Buffer): void {
        if (content.length > 0) {
            this.#file.write(content);
            this.#endsLine = content.at(-1) === 10;
        }
    }
}

/** How long uploads may take when the process closes: a part of the time that a stopped worker has to end. */
const closeMs = 12_000;

const nameOfRun = /^(\w+)-(\d+)\.(?:log|bundle)$/;

/**
 * The log files. Without a bucket, one file contains all runs of a job. With a bucket, each run has a file until its
 * upload.
 */
export class LogFiles {
    readonly #folder: string;
    readonly #kept: AgentLogs | undefined;
    readonly #logger: ServiceLogger;
    readonly #closed = new AbortController();

    /** @param kept - the logs in the bucket; undefined to leave logs in the folder */
    constructor(folder: string, kept: AgentLogs | undefined, logger: ServiceLogger) {
        this.#folder = folder;
        this.#kept = kept;
        this.#logger = logger;
    }

    pathOf({ jobId, attempt }: Attempt): string {
        return join(this.#folder, this.#kept === undefined ? `${jobId}.log` : `${jobId}-${attempt}.log`);
    }

    /** The file of the git bundle with a run's change, if the change is not pushed. */
    bundlePathOf({ jobId, attempt }: Attempt): string {
        return join(this.#folder, `${jobId}-${attempt}.bundle`);
    }

    /** Removes a bundle whose run has ended without a failure, for example because its job was archived meanwhile. */
    async removeBundle(attempt: Attempt): Promise<void> {
        await rm(this.bundlePathOf(attempt), { force: true });
    }

    /** The location of the bundle after its run has ended, for operators. */
    bundlePlaceOf(attempt: Attempt): string {
        return this.#kept?.addressOf(attempt, "bundle") ?? this.bundlePathOf(attempt);
    }

    /** The location of the log after its run has ended, for operators. */
    placeOf(attempt: Attempt): string {
        return this.#kept?.addressOf(attempt) ?? this.pathOf(attempt);
    }

    /** Moves the files of a run that has ended into the bucket, if there is one. Never rejects. */
    async ended(attempt: Attempt): Promise<void> {
        await this.#keep(attempt, this.bundlePathOf(attempt), "bundle");
        await this.#keep(attempt, this.pathOf(attempt), "log");
    }

    async #keep(attempt: Attempt, path: string, kind: "log" | "bundle"): Promise<void> {
        if (this.#kept === undefined || !existsSync(path)) {
            return;
        }
        try {
            await this.#kept.keep(attempt, path, kind, this.#closed.signal);
            await rm(path, { force: true });
        } catch (error) {
            const what = `The ${kind} of agent job ${attempt.jobId} stays in ${path}, because it could not be stored`;
            this.#logger.error(toOneLine(`${what}: ${String(error)}`), { job: attempt.jobId });
        }
    }

    /** Ends uploads soon, because the process ends: the next process with this folder repeats them. */
    closing(): void {
        setTimeout(() => this.#closed.abort(), closeMs).unref();
    }

    /** If logs stay in the folder, removes the logs of jobs that had no run since `sinceMs`. */
    async removeOlderThan(sinceMs: number): Promise<void> {
        const names = this.#kept === undefined ? await readdir(this.#folder) : [];
        for (const path of names.map((name) => join(this.#folder, name))) {
            if ((await stat(path)).mtimeMs < sinceMs) {
                await rm(path);
            }
        }
    }

    /** The runs whose files an earlier process with this folder could not upload. */
    async left(): Promise<Attempt[]> {
        const names = this.#kept === undefined ? [] : await readdir(this.#folder);
        const runs = new Map<string, Attempt>();
        for (const name of names) {
            const [, jobId, attempt] = nameOfRun.exec(name) ?? [];
            if (jobId !== undefined) {
                runs.set(`${jobId} ${attempt}`, { jobId, attempt: Number(attempt) });
            }
        }
        return [...runs.values()];
    }
}
