import { type ServiceDatabase } from "../database/database.js";
import { ObservedTime } from "../database/observed-time.js";
import { batchSize, type BetweenBatches, removeInBatches } from "./batches.js";

/** A file of a domain's page cache, compressed. */
export interface CacheFile {
    domain: string;
    file: string;
    sha256: string;
    sizeBytes: number;
}

interface Row {
    domain: string;
    file: string;
    sha256: string;
    size_bytes: number;
}

/** The files of page caches in the bucket, or about to be uploaded. */
export class PageCacheRecords {
    readonly #database: ServiceDatabase;
    readonly #clock: () => number;

    constructor(database: ServiceDatabase, clock: () => number) {
        this.#database = database;
        this.#clock = clock;
    }

    /** The files of the domain's newest cache. */
    async current(domain: string): Promise<CacheFile[]> {
        const rows = await this.#database.all<Row>(
            "SELECT * FROM page_caches WHERE domain = :domain AND is_current = 1 ORDER BY file",
            { domain },
        );
        return rows.map(toFile);
    }

    /** Records that an upload is about to begin. */
    async record({ domain, file, sha256, sizeBytes }: CacheFile): Promise<void> {
        await this.#database.run(
            `INSERT INTO page_caches (domain, file, sha256, size_bytes, recorded_at)
             VALUES (:domain, :file, :sha256, :sizeBytes, :now)
             ON CONFLICT (domain, sha256) DO UPDATE SET file = excluded.file, recorded_at = excluded.recorded_at`,
            { domain, file, sha256, sizeBytes, now: this.#clock() },
        );
    }

    /** Makes these files the domain's cache. Call this method after all files were uploaded. */
    async replace(domain: string, files: readonly CacheFile[]): Promise<void> {
        await this.#database.transaction(async (transaction) => {
            await transaction.run("UPDATE page_caches SET is_current = 0 WHERE domain = :domain", { domain });
            for (const { sha256 } of files) {
                await transaction.run(
                    "UPDATE page_caches SET is_current = 1 WHERE domain = :domain AND sha256 = :sha256",
                    { domain, sha256 },
                );
            }
        });
    }

    /**
     * Deletes the records of files that belong to no cache and were recorded more than `ageMs` ago, after `remove` has
     * removed the files. Uses no transaction, because the database must not wait for the storage.
     */
    async removeOutdated(
        ageMs: number,
        remove: (files: readonly CacheFile[]) => Promise<void>,
        betweenBatches: BetweenBatches,
    ): Promise<void> {
        const before = await new ObservedTime(this.#database, this.#clock).ago(ageMs);
        const find = () =>
            this.#database.all<Row>(
                `SELECT * FROM page_caches WHERE is_current = 0 AND recorded_at < :before LIMIT ${batchSize}`,
                { before },
            );
        const removeRows = async (rows: readonly Row[]): Promise<void> => {
            await remove(rows.map(toFile));
            for (const { domain, sha256 } of rows) {
                await this.#database.run(
                    `DELETE FROM page_caches
                     WHERE domain = :domain AND sha256 = :sha256 AND is_current = 0 AND recorded_at < :before`,
                    { domain, sha256, before },
                );
            }
        };
        await removeInBatches(find, removeRows, betweenBatches);
    }
}

function toFile({ domain, file, sha256, size_bytes: sizeBytes }: Row): CacheFile {
    return { domain, file, sha256, sizeBytes };
}
