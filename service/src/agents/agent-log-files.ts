import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { toOneLine } from "@pulumi-static-export/exporter";
import { type AgentLogs } from "../storage/agent-logs.js";
import { type ServiceLogger } from "../shared/logger.js";
import { type Attempt } from "../jobs/attempts.js";

const nameOfRun = /^(\w+)-(\d+)\.log$/;

/**
 * The log files. Without a bucket, one file contains all runs of a job. With a bucket, each run has a file until its
 * upload.
 */
export class LogFiles {
    readonly #folder: string;
    readonly #kept: AgentLogs | undefined;
    readonly #logger: ServiceLogger;

    /** @param kept - the logs in the bucket; undefined to leave logs in the folder */
    constructor(folder: string, kept: AgentLogs | undefined, logger: ServiceLogger) {
        this.#folder = folder;
        this.#kept = kept;
        this.#logger = logger;
    }

    pathOf({ jobId, attempt }: Attempt): string {
        return join(this.#folder, this.#kept === undefined ? `${jobId}.log` : `${jobId}-${attempt}.log`);
    }

    /** The location of the log after its run has ended, for operators. */
    placeOf(attempt: Attempt): string {
        return this.#kept?.addressOf(attempt) ?? this.pathOf(attempt);
    }

    /** Moves the log of a run that has ended into the bucket, if there is one. Never rejects. */
    async ended(attempt: Attempt): Promise<void> {
        if (this.#kept === undefined) {
            return;
        }
        const path = this.pathOf(attempt);
        try {
            await this.#kept.keep(attempt, path);
            await rm(path, { force: true });
        } catch (error) {
            const what = `The log of agent job ${attempt.jobId} stays in ${path}, because it could not be stored`;
            this.#logger.error(toOneLine(`${what}: ${String(error)}`), { job: attempt.jobId });
        }
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

    /** The runs whose logs an earlier process with this folder could not upload. */
    async left(): Promise<Attempt[]> {
        const names = this.#kept === undefined ? [] : await readdir(this.#folder);
        return names.flatMap((name) => {
            const [, jobId, attempt] = nameOfRun.exec(name) ?? [];
            return jobId === undefined ? [] : [{ jobId, attempt: Number(attempt) }];
        });
    }
}
