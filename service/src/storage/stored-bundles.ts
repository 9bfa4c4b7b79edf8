import { type ServiceDatabase } from "../database/database.js";

/** The archives that were, or are about to be, stored in the bucket: each is recorded before it is uploaded. */
export class StoredBundles {
    readonly #database: ServiceDatabase;
    readonly #clock: () => number;

    constructor(database: ServiceDatabase, clock: () => number) {
        this.#database = database;
        this.#clock = clock;
    }

    /** Records that an upload may begin now. */
    async record(sha256: string, sizeBytes: number): Promise<void> {
        await this.#database.run(
            `INSERT INTO stored_bundles (sha256, size_bytes, recorded_at) VALUES (:sha256, :sizeBytes, :now)
             ON CONFLICT (sha256) DO UPDATE SET size_bytes = excluded.size_bytes, recorded_at = excluded.recorded_at`,
            { sha256, sizeBytes, now: this.#clock() },
        );
    }

    /** The archives that no job has and whose last upload began more than `ageMs` ago. */
    async unused(ageMs: number): Promise<string[]> {
        const rows = await this.#database.all<{ sha256: string }>(
            `SELECT sha256 FROM stored_bundles WHERE recorded_at < :before
             AND sha256 NOT IN (SELECT sha256 FROM static_export_jobs WHERE sha256 IS NOT NULL)`,
            { before: this.#clock() - ageMs },
        );
        return rows.map(({ sha256 }) => sha256);
    }

    /** Forgets an archive that was removed, unless an upload has begun since. */
    async forget(sha256: string, ageMs: number): Promise<void> {
        await this.#database.run("DELETE FROM stored_bundles WHERE sha256 = :sha256 AND recorded_at < :before", {
            sha256,
            before: this.#clock() - ageMs,
        });
    }

    async measure(): Promise<{ bundles: number; bytes: number }> {
        const measured = await this.#database.get<{ bundles: number; bytes: number }>(
            // The sum of BIGINTs has a type of its own, which the driver gives as text.
            "SELECT count(*) AS bundles, CAST(COALESCE(sum(size_bytes), 0) AS BIGINT) AS bytes FROM stored_bundles",
        );
        return measured ?? { bundles: 0, bytes: 0 };
    }
}
