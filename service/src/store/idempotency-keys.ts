import { createHash } from "node:crypto";
import { inTransaction, type ServiceDatabase } from "./database.js";

/** An earlier request used the key with a different body. */
export class IdempotencyKeyReusedError extends Error {
    override readonly name = "IdempotencyKeyReusedError";
}

export interface KeyedRequest {
    /** The endpoint. Keys of different scopes are independent. */
    scope: string;
    key: string;
    /** The request, as a JSON value: a retry must be equal. */
    started: object;
}

/**
 * The keys of `Idempotency-Key` headers on disk, each with the job that its first request started. They belong to the
 * service's one owner, whoever's admin API key that is: a new admin key finds the jobs of the one before.
 */
export class IdempotencyKeys {
    readonly #database: ServiceDatabase;
    readonly #clock: () => number;
    readonly #maxAgeMs: number;

    constructor(database: ServiceDatabase, clock: () => number, maxAgeMs: number) {
        this.#database = database;
        this.#clock = clock;
        this.#maxAgeMs = maxAgeMs;
    }

    /**
     * Runs `start` for the first request with a key; for retries returns the job that it started. Job and key are
     * stored together or not at all, so this holds across restarts. A key whose job has been removed since is new again.
     *
     * @throws IdempotencyKeyReusedError, and what `start` throws
     */
    once(
        { scope, key, started }: KeyedRequest,
        { start, hasJob }: { start: () => string; hasJob: (jobId: string) => boolean },
    ): { jobId: string; isReplayed: boolean } {
        const sha256 = createHash("sha256").update(JSON.stringify(started)).digest("hex");
        return inTransaction(this.#database, () => {
            const now = this.#clock();
            this.#database.prepare("DELETE FROM idempotency_keys WHERE created_at <= ?").run(now - this.#maxAgeMs);
            const known = this.#database
                .prepare("SELECT request_sha256, job_id FROM idempotency_keys WHERE scope = ? AND key = ?")
                .get(scope, key) as { request_sha256: string; job_id: string } | undefined;
            if (known !== undefined) {
                if (known.request_sha256 !== sha256) {
                    throw new IdempotencyKeyReusedError(
                        "This Idempotency-Key was used with another body: send a new key with a new request.",
                    );
                }
                if (hasJob(known.job_id)) {
                    return { jobId: known.job_id, isReplayed: true };
                }
            }
            const jobId = start();
            this.#database
                .prepare(
                    `INSERT OR REPLACE INTO idempotency_keys (scope, key, request_sha256, job_id, created_at)
                     VALUES (:scope, :key, :sha256, :jobId, :now)`,
                )
                .run({ scope, key, sha256, jobId, now });
            return { jobId, isReplayed: false };
        });
    }
}
