import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type ServiceDatabase } from "../database/database.js";
import { batchSize, type BetweenBatches, removeInBatches } from "./batches.js";
import { type S3Bucket } from "./s3-bucket.js";

/** The time limit of an upload or download. */
const maxUploadMs = 30_000;

interface Row {
    job_id: string;
    attempt: number;
}

/** A run of a prompt. */
interface AgentRun {
    jobId: string;
    attempt: number;
}

/** The files of a run: its log, and a git bundle with its change if the change was not pushed. */
type RunFile = "log" | "bundle";

const contentTypes: Readonly<Record<RunFile, string>> = {
    log: "text/plain; charset=utf-8",
    bundle: "application/octet-stream",
};

type LogBucket = Pick<S3Bucket, "put" | "get" | "read" | "sizeOf" | "remove" | "addressOf">;

/** A log in the bucket never changes, so that its size is asked once. */
const maxKnownSizes = 10_000;

/**
 * Logs of agents' runs in the bucket, each recorded in the database before its upload. Agent workers store the logs,
 * and export workers remove old ones.
 */
export class AgentLogs {
    readonly #bucket: LogBucket;
    readonly #database: ServiceDatabase;
    readonly #clock: () => number;
    readonly #sizes = new Map<string, number>();

    constructor(bucket: LogBucket, database: ServiceDatabase, clock: () => number) {
        this.#bucket = bucket;
        this.#database = database;
        this.#clock = clock;
    }

    /**
     * Stores a file of a run that has ended.
     *
     * @param signal - ends the upload
     * @throws StorageUnavailableError, or the database's error
     */
    async keep(log: AgentRun, path: string, kind: RunFile = "log", signal?: AbortSignal): Promise<void> {
        const content = await readFile(path);
        const sha256 = createHash("sha256").update(content).digest("hex");
        await this.#database.run(
            `INSERT INTO agent_logs (job_id, attempt, recorded_at) VALUES (:jobId, :attempt, :now)
             ON CONFLICT (job_id, attempt) DO UPDATE SET recorded_at = excluded.recorded_at`,
            { jobId: log.jobId, attempt: log.attempt, now: this.#clock() },
        );
        const late = AbortSignal.timeout(maxUploadMs);
        const ended = signal === undefined ? late : AbortSignal.any([signal, late]);
        const sent = { sha256, sizeBytes: content.length, contentType: contentTypes[kind] };
        await this.#bucket.put(nameOf(log, kind), path, sent, ended);
    }

    /** Copies a log to a file. @throws StorageUnavailableError */
    async read(log: AgentRun, path: string): Promise<void> {
        await this.#bucket.get(nameOf(log), path, AbortSignal.timeout(maxUploadMs));
    }

    /** The number of bytes of a log; 0 for one that is gone. @throws StorageUnavailableError */
    async sizeOf(log: AgentRun): Promise<number> {
        const name = nameOf(log);
        const known = this.#sizes.get(name);
        if (known !== undefined) {
            return known;
        }
        const size = await this.#bucket.sizeOf(name);
        if (size !== undefined) {
            if (this.#sizes.size >= maxKnownSizes) {
                this.#sizes.clear();
            }
            this.#sizes.set(name, size);
        }
        return size ?? 0;
    }

    /** A part of a log. @throws StorageUnavailableError */
    readPart(log: AgentRun, from: number, length: number): Promise<Buffer> {
        return this.#bucket.read(nameOf(log), from, length, AbortSignal.timeout(maxUploadMs));
    }

    /** The location of a run's file, for operators. */
    addressOf(log: AgentRun, kind: RunFile = "log"): string {
        return this.#bucket.addressOf(nameOf(log, kind));
    }

    /** Uses no transaction, because the database must not wait for the bucket. */
    async removeKeptBefore(before: number, betweenBatches: BetweenBatches): Promise<void> {
        const find = () =>
            this.#database.all<Row>(
                `SELECT job_id, attempt FROM agent_logs WHERE recorded_at < :before LIMIT ${batchSize}`,
                { before },
            );
        const remove = async (rows: readonly Row[]): Promise<void> => {
            const runs = rows.map(({ job_id: jobId, attempt }) => ({ jobId, attempt }));
            await this.#bucket.remove(runs.flatMap((run) => [nameOf(run), nameOf(run, "bundle")]));
            for (const { job_id: jobId, attempt } of rows) {
                await this.#database.run(
                    "DELETE FROM agent_logs WHERE job_id = :jobId AND attempt = :attempt AND recorded_at < :before",
                    { jobId, attempt, before },
                );
            }
        };
        await removeInBatches(find, remove, betweenBatches);
    }
}

function nameOf({ jobId, attempt }: AgentRun, kind: RunFile = "log"): string {
    return `agent-logs/${jobId}/${attempt}.${kind}`;
}
