import { createHash } from "node:crypto";
import { type ServiceDatabase, type SqlClient } from "../database/database.js";
import { ObservedTime } from "../database/observed-time.js";

/** An earlier request used the key with a different body. */
export class IdempotencyKeyReusedError extends Error {
    override readonly name = "IdempotencyKeyReusedError";
}

export interface KeyedRequest {
    /** The endpoint and the domain, project or job. Keys of different scopes are independent. */
    scope: string;
    key: string;
    /** The request as a JSON value; a retry must send the same one. */
    started: object;
}

/** The work of a request with a key, in the given transaction. */
export interface KeyedWork {
    /** Stores the job; returns its id. */
    start: (transaction: SqlClient) => Promise<string>;
    /** Whether a job that was started earlier is still stored. */
    hasJob: (jobId: string, transaction: SqlClient) => Promise<boolean>;
}

/**
 * The stored `Idempotency-Key`s, each with the job that its first request started. The stored keys belong to the
 * service, not to an admin API key: after the API key changes, a repeated start still finds its job.
 */
export class IdempotencyKeys {
    readonly #database: ServiceDatabase;
    readonly #clock: () => number;
    readonly #maxAgeMs: number;
    readonly #observed: ObservedTime;

    constructor(database: ServiceDatabase, clock: () => number, maxAgeMs: number) {
        this.#database = database;
        this.#clock = clock;
        this.#maxAgeMs = maxAgeMs;
        this.#observed = new ObservedTime(database, clock);
    }

    /**
     * Runs `start` for the first request with a key; for retries returns the job that it started. Job and key are
     * stored together or not at all, so a retry finds the job even after a restart. A key whose job has been removed
     * counts as new. Starts run one after another in all processes, so that `start` can count the jobs that others have
     * stored.
     *
     * @throws IdempotencyKeyReusedError, and what `start` throws
     */
    async once(
        { scope, key, started }: KeyedRequest,
        { start, hasJob }: KeyedWork,
    ): Promise<{ jobId: string; isReplayed: boolean }> {
        const sha256 = createHash("sha256").update(JSON.stringify(started)).digest("hex");
        return this.#database.transaction(async (transaction) => {
            const now = this.#clock();
            await transaction.run("DELETE FROM idempotency_keys WHERE created_at <= :expired", {
                expired: await this.#observed.ago(this.#maxAgeMs, transaction),
            });
            const known = await transaction.get<{ request_sha256: string; job_id: string }>(
                "SELECT request_sha256, job_id FROM idempotency_keys WHERE scope = :scope AND key = :key",
                { scope, key },
            );
            if (known !== undefined) {
                if (known.request_sha256 !== sha256) {
                    throw new IdempotencyKeyReusedError(
                        "This Idempotency-Key was used with another body: send a new key with a new request.",
                    );
                }
                if (await hasJob(known.job_id, transaction)) {
                    return { jobId: known.job_id, isReplayed: true };
                }
            }
            const jobId = await start(transaction);
            await transaction.run(
                `INSERT INTO idempotency_keys (scope, key, request_sha256, job_id, created_at)
                 VALUES (:scope, :key, :sha256, :jobId, :now) ON CONFLICT (scope, key) DO UPDATE SET
                 request_sha256 = excluded.request_sha256, job_id = excluded.job_id, created_at = excluded.created_at`,
                { scope, key, sha256, jobId, now },
            );
            return { jobId, isReplayed: false };
        }, "starts");
    }

    /** Runs `start` in a transaction, for a request without a key. @throws what `start` throws */
    async always<T>(start: (transaction: SqlClient) => Promise<T>): Promise<T> {
        return this.#database.transaction(start, "starts");
    }
}
