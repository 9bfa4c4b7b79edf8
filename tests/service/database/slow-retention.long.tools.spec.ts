import assert from "node:assert/strict";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { defaultTimes } from "../../../service/src/database/postgres-connections.js";
import { migrateSchema } from "../../../service/src/database/postgres-schema.js";
import { SiteJobAttempts } from "../../../service/src/exports/site-job-attempts.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { StoredBundles } from "../../../service/src/storage/bundles-in-bucket.js";
import { waitUntil } from "../../wait-until.js";
import { domain } from "../support/running-service.js";
import { usePostgres } from "../support/postgres.js";

describe("The retention in a slow database", () => {
    const server = usePostgres();
    const statementMs = 1000;
    const nothing = () => Promise.resolve();

    /**
     * Calls `use` while every statement that reads jobs takes longer than the time limit for a request's statements.
     */
    async function whileSlow<T>(use: (database: PostgresDatabase) => Promise<T>): Promise<T> {
        const url = await server().createDatabase();
        const database = new PostgresDatabase(url, { ...defaultTimes, statementMs });
        const other = new PostgresDatabase(url);
        try {
            await migrateSchema(other);
            const store = new SiteJobStore(other, () => 1);
            const attempts = new SiteJobAttempts(other, () => 1);
            for (const sha256 of ["sha1", "sha2"]) {
                await store.create({ domain });
                const run = await attempts.claim();
                assert.ok(run);
                await attempts.complete(run, { pageCount: 1, sizeBytes: 1, sha256 });
            }
            await new StoredBundles(other, () => 1).record("sha3", 1);
            let result: Promise<T> | undefined;
            await other.transaction(async (transaction) => {
                await transaction.run("LOCK TABLE static_export_jobs IN ACCESS EXCLUSIVE MODE");
                result = use(database);
                result.catch(() => undefined);
                await waitUntil("a statement has waited for long, or was cancelled", async () => {
                    const slow = await other.get(
                        `SELECT 1 AS found FROM pg_stat_activity WHERE wait_event_type = 'Lock'
                         AND datname = current_database() AND clock_timestamp() - query_start > interval '1500 ms'`,
                    );
                    return slow !== undefined || (await isRejected(result));
                });
            });
            return await (result as unknown as Promise<T>);
        } finally {
            await Promise.all([database.close(), other.close()]);
        }
    }

    it("removes outdated jobs, because its search may take longer than a request's statement", async () => {
        const limits = { keepJobs: 0, unusedBefore: Date.now(), linkedSince: Date.now() };
        assert.equal(
            await whileSlow((database) => new SiteJobStore(database, Date.now).removeUnused(limits, nothing)),
            1,
        );
    });

    it("finds bundles without a job, because its search may take longer than a request's statement", async () => {
        assert.deepEqual(await whileSlow((database) => firstUnused(new StoredBundles(database, Date.now))), ["sha3"]);
    });

    it("does not extend the shorter limit for the statements of requests", async () => {
        await assert.rejects(
            whileSlow((database) => new SiteJobStore(database, Date.now).list(domain, 1)),
            { name: "DatabaseUnavailableError", message: /57014/ },
        );
    });
});

async function firstUnused(bundles: StoredBundles): Promise<string[] | undefined> {
    for await (const unused of bundles.unused(0)) {
        return unused;
    }
    return undefined;
}

function isRejected(promise: Promise<unknown> | undefined): Promise<boolean> {
    const pending = Promise.resolve("pending");
    return Promise.race([promise, pending]).then(
        () => false,
        () => true,
    );
}
