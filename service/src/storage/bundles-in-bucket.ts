import { type Readable } from "node:stream";
import { dayMs } from "../shared/day-ms.js";
import { writeUntilStored } from "../shared/write-until-stored.js";
import { type ServiceLogger } from "../shared/logger.js";
import { listOf, type ServiceDatabase } from "../database/database.js";
import { ObservedTime } from "../database/observed-time.js";
import { type S3Bucket } from "./s3-bucket.js";
import { type BetweenBatches, batchSize } from "./batches.js";
import { type Archive, type BundleStorage, foundGraceDays, type WhileUnused } from "./bundle-storage.js";

/** How long a link of the storage works: long enough to begin a download, but not to be shared. */
const linkSeconds = 300;
const maxUploadMs = 30 * 60_000;
/**
 * An archive without a job is removed only at this age: a run that has lost its job without noticing may still be
 * uploading, and its machine's clock may be wrong by minutes.
 */
const minAgeMs = 2 * maxUploadMs;
/** With doubling backoff, these attempts take more than two minutes: enough for a storage to restart. */
const maxUploads = 10;

const folder = "bundles/";

interface BucketStorageOptions {
    bucket: S3Bucket;
    records: StoredBundles;
    logger: ServiceLogger;
    /** First backoff before an upload is repeated. @default 1000 */
    retryMs?: number;
}

/**
 * Archives in a bucket, each recorded in the database before its upload, so that the bucket's content is known without
 * listing it.
 */
export class BundlesInBucket implements BundleStorage {
    readonly #options: BucketStorageOptions;

    constructor(options: BucketStorageOptions) {
        this.#options = options;
    }

    /** @throws StorageUnavailableError after more than two minutes, or the reason of `signal` */
    async keep(archivePath: string, archive: Archive, signal: AbortSignal): Promise<void> {
        const { logger, retryMs } = this.#options;
        const givenUp = new AbortController();
        let uploads = 0;
        await writeUntilStored(() => this.#upload(archivePath, archive, signal), {
            signal: AbortSignal.any([signal, givenUp.signal]),
            retryMs,
            onError: (error) => {
                uploads += 1;
                if (uploads === maxUploads) {
                    givenUp.abort(error);
                } else if (!signal.aborted) {
                    logger.error(`Bundle ${archive.sha256} could not be stored yet: ${String(error)}`);
                }
            },
        });
        signal.throwIfAborted();
        givenUp.signal.throwIfAborted();
    }

    async #upload(archivePath: string, archive: Archive, signal: AbortSignal): Promise<void> {
        const { bucket, records } = this.#options;
        await records.record(archive.sha256, archive.sizeBytes);
        if ((await this.examine(archive)) !== "intact") {
            const ended = AbortSignal.any([signal, AbortSignal.timeout(maxUploadMs)]);
            await bucket.put(nameOf(archive.sha256), archivePath, archive, ended);
        }
    }

    /** Compares only the size: the storage checked the digest during the upload. */
    async examine({ sha256, sizeBytes }: Archive): Promise<"intact" | "damaged" | "missing"> {
        const storedBytes = await this.#options.bucket.sizeOf(nameOf(sha256));
        return storedBytes === undefined ? "missing" : storedBytes === sizeBytes ? "intact" : "damaged";
    }

    async deliver(archive: Archive, fileName: string): Promise<{ url: string } | "damaged" | "missing"> {
        const state = await this.examine(archive);
        return state === "intact"
            ? { url: await this.#options.bucket.sign(nameOf(archive.sha256), fileName, linkSeconds) }
            : state;
    }

    async read(archive: Archive): Promise<Readable | "damaged" | "missing"> {
        const state = await this.examine(archive);
        return state === "intact" ? this.#options.bucket.stream(nameOf(archive.sha256)) : state;
    }

    async removeBundles(whileUnused: WhileUnused, betweenBatches: BetweenBatches): Promise<number> {
        const { bucket, records } = this.#options;
        let removed = 0;
        for await (const unused of records.unused(minAgeMs)) {
            removed += await whileUnused(unused, async (archives) => {
                await bucket.remove(archives.map(nameOf));
                await records.forget(archives, minAgeMs);
            });
            await betweenBatches();
        }
        return removed;
    }

    async recordFound(betweenBatches: BetweenBatches): Promise<number> {
        const { bucket, records } = this.#options;
        let found = 0;
        for await (const objects of bucket.list(folder)) {
            const archives = objects.flatMap(({ name, sizeBytes }) => {
                const [, sha256] = /^([0-9a-f]{64})\.tar\.gz$/.exec(name.slice(folder.length)) ?? [];
                return sha256 === undefined ? [] : [{ sha256, sizeBytes }];
            });
            found += await records.recordFound(archives);
            await betweenBatches();
        }
        return found;
    }

    assertReachable(): Promise<void> {
        return this.#options.bucket.assertReachable();
    }

    measure(): Promise<{ bundles: number; bytes: number }> {
        return this.#options.records.measure();
    }
}

function nameOf(sha256: string): string {
    return `${folder}${sha256}.tar.gz`;
}

const isOld = "((was_found = 0 AND recorded_at < :before) OR (was_found = 1 AND recorded_at < :foundBefore))";

/** The archives in the bucket, or about to be uploaded: each is recorded before its upload. */
export class StoredBundles {
    readonly #database: ServiceDatabase;
    readonly #clock: () => number;
    readonly #observed: ObservedTime;

    constructor(database: ServiceDatabase, clock: () => number) {
        this.#database = database;
        this.#clock = clock;
        this.#observed = new ObservedTime(database, clock);
    }

    /** Records that an upload is about to begin. */
    async record(sha256: string, sizeBytes: number): Promise<void> {
        await this.#database.run(
            `INSERT INTO stored_bundles (sha256, size_bytes, recorded_at) VALUES (:sha256, :sizeBytes, :now)
             ON CONFLICT (sha256) DO UPDATE
             SET size_bytes = excluded.size_bytes, recorded_at = excluded.recorded_at, was_found = 0`,
            { sha256, sizeBytes, now: this.#clock() },
        );
    }

    /** Records the archives of the list that have no record yet. @returns how many were missing */
    async recordFound(archives: readonly Archive[]): Promise<number> {
        const all = listOf(
            "sha",
            archives.map(({ sha256 }) => sha256),
        );
        const rows = await this.#database.all<{ sha256: string }>(
            `SELECT sha256 FROM stored_bundles WHERE sha256 IN (${all.sql})`,
            all.values,
        );
        const recorded = new Set(rows.map(({ sha256 }) => sha256));
        let found = 0;
        for (const { sha256, sizeBytes } of archives.filter((archive) => !recorded.has(archive.sha256))) {
            found += await this.#database.run(
                `INSERT INTO stored_bundles (sha256, size_bytes, recorded_at, was_found)
                 VALUES (:sha256, :sizeBytes, :now, 1) ON CONFLICT (sha256) DO NOTHING`,
                { sha256, sizeBytes, now: this.#clock() },
            );
        }
        return found;
    }

    /**
     * The archives without a job whose last upload began more than `ageMs` ago, and those that were found
     * `foundGraceDays` ago, in batches: each statement reads a thousand records.
     */
    async *unused(ageMs: number): AsyncGenerator<string[]> {
        const limits = await this.#limits(ageMs);
        let rows: { sha256: string; unused: number }[];
        let after = "";
        do {
            const values = { ...limits, after };
            rows = await this.#database.transaction(
                (transaction) =>
                    transaction.all(
                        `SELECT sha256, CASE WHEN ${isOld} AND NOT EXISTS (SELECT 1
                            FROM static_export_jobs AS job WHERE job.sha256 = stored.sha256) THEN 1 ELSE 0 END AS unused
                         FROM stored_bundles AS stored WHERE sha256 > :after ORDER BY sha256 LIMIT ${batchSize}`,
                        values,
                    ),
                "retention",
            );
            const unused = rows.filter((row) => row.unused === 1);
            if (unused.length > 0) {
                yield unused.map(({ sha256 }) => sha256);
            }
            after = rows.at(-1)?.sha256 ?? "";
        } while (rows.length === batchSize);
    }

    /** Deletes the records of removed archives, unless an upload has begun since. */
    async forget(archives: readonly string[], ageMs: number): Promise<void> {
        const all = listOf("sha", archives);
        await this.#database.run(`DELETE FROM stored_bundles WHERE sha256 IN (${all.sql}) AND ${isOld}`, {
            ...all.values,
            ...(await this.#limits(ageMs)),
        });
    }

    /** The values of `isOld`. */
    async #limits(ageMs: number): Promise<{ before: number; foundBefore: number }> {
        return {
            before: await this.#observed.ago(ageMs),
            foundBefore: await this.#observed.ago(foundGraceDays * dayMs),
        };
    }

    async measure(): Promise<{ bundles: number; bytes: number }> {
        const measured = await this.#database.get<{ bundles: number; bytes: number }>(
            // The sum of BIGINTs has another type, which the driver returns as text.
            "SELECT count(*) AS bundles, CAST(COALESCE(sum(size_bytes), 0) AS BIGINT) AS bytes FROM stored_bundles",
        );
        return measured ?? { bundles: 0, bytes: 0 };
    }
}
