import assert from "node:assert/strict";
import { type TransactionLock } from "../../../service/src/database/database.js";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { migrateSchema } from "../../../service/src/database/postgres-schema.js";
import { SiteJobAttempts } from "../../../service/src/exports/site-job-attempts.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { AgentLogs } from "../../../service/src/storage/agent-logs.js";
import { PageCacheRecords } from "../../../service/src/storage/page-cache-records.js";
import { domain } from "../support/running-service.js";
import { usePostgres } from "../support/postgres.js";
import { TcpProxy } from "../support/tcp-proxy.js";

/** The duration of two server timeouts, with a margin for a busy machine. */
const freeWithinMs = 15_000;

describe("A process that loses its database connection", () => {
    const server = usePostgres();

    async function withCutLink(
        use: (lost: PostgresDatabase, other: PostgresDatabase, cut: () => void) => Promise<void>,
    ) {
        const url = await server().createDatabase();
        const proxy = await TcpProxy.start(Number(new URL(url).port));
        const [lost, other] = [new PostgresDatabase(proxy.through(url)), new PostgresDatabase(url)];
        try {
            await migrateSchema(other);
            await use(lost, other, () => proxy.cut());
        } finally {
            await proxy.close();
            await Promise.all([lost.close(), other.close()]);
        }
    }

    for (const lock of ["starts", "claim"] as const satisfies readonly TransactionLock[]) {
        it(`during a DELETE releases the lock '${lock}' within seconds, and changes nothing`, async () => {
            await withCutLink(async (lost, other, cut) => {
                await new SiteJobStore(other, Date.now).create({ domain });
                let reached: () => void = () => undefined;
                const isDeleting = new Promise<void>((resolve) => (reached = resolve));
                const work = lost.transaction(async (transaction) => {
                    const deleting = transaction.run("DELETE FROM static_export_jobs");
                    // The statement was sent, but its response is lost.
                    setImmediate(() => setImmediate(() => (cut(), reached())));
                    await deleting;
                }, lock);
                work.catch(() => undefined);
                await isDeleting;
                const beganMs = performance.now();
                // Waits for the lock with the same number of retries as requests and workers.
                const jobs = await retry(() =>
                    other.transaction((transaction) => transaction.all("SELECT * FROM static_export_jobs"), lock),
                );
                const tookMs = performance.now() - beganMs;
                assert.equal(jobs.length, 1);
                assert.ok(tookMs < freeWithinMs, `${Math.round(tookMs)} ms`);
                await assert.rejects(work, { name: "DatabaseUnavailableError" });
            });
        });
    }
});

describe("Removal from the storage", () => {
    const server = usePostgres();
    const clock = (): number => 1000;

    async function withRecords(use: (database: PostgresDatabase, remove: () => Promise<void>) => Promise<void>) {
        const url = await server().createDatabase();
        const [database, observer] = [new PostgresDatabase(url), new PostgresDatabase(url)];
        let calls = 0;
        const remove = async (): Promise<void> => {
            calls += 1;
            const open = await observer.all(
                `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
                 AND state <> 'idle' AND backend_type = 'client backend'`,
            );
            assert.deepEqual(open, []);
        };
        try {
            await migrateSchema(database);
            await use(database, remove);
            assert.equal(calls, 1);
        } finally {
            await Promise.all([database.close(), observer.close()]);
        }
    }

    it("holds no transaction open while it removes a bundle, and lets no run store the bundle meanwhile", async () => {
        await withRecords(async (database, remove) => {
            const attempts = new SiteJobAttempts(database, clock);
            const store = new SiteJobStore(database, clock);
            await store.create({ domain });
            const run = await attempts.claim();
            assert.ok(run);
            const removed = await store.whileUnused(["sha"], async () => {
                await remove();
                await assert.rejects(attempts.announce(run, "sha"), /being removed/);
                assert.equal(await attempts.announce(run, "other"), true);
            });
            assert.equal(removed, 1);
            assert.equal(await attempts.announce(run, "sha"), true);
        });
    });

    it("lets runs store a bundle again minutes after the removing process died", async () => {
        await withRecords(async (database, remove) => {
            let now = 1000;
            const attempts = new SiteJobAttempts(database, () => now);
            const store = new SiteJobStore(database, () => now);
            await store.create({ domain });
            const run = await attempts.claim();
            assert.ok(run);
            const died = store.whileUnused(["sha"], async () => {
                await remove();
                throw new Error("the machine is lost");
            });
            await assert.rejects(died, /the machine is lost/);
            await assert.rejects(attempts.announce(run, "sha"), /being removed/);
            now += 10 * 60_000;
            assert.equal(await attempts.announce(run, "sha"), true);
        });
    });

    it("holds no transaction open while it removes a page cache", async () => {
        await withRecords(async (database, remove) => {
            await new PageCacheRecords(database, () => 0).record({ domain, file: "f", sha256: "sha", sizeBytes: 1 });
            const caches = new PageCacheRecords(database, clock);
            await caches.removeOutdated(10, remove, () => Promise.resolve());
            assert.deepEqual(await database.all("SELECT * FROM page_caches"), []);
        });
    });

    it("holds no transaction open while it removes an agent's log", async () => {
        await withRecords(async (database, remove) => {
            const done = () => Promise.resolve();
            const bucket = {
                put: done,
                get: done,
                remove,
                sizeOf: () => Promise.resolve(0),
                read: () => Promise.resolve(Buffer.alloc(0)),
                addressOf: () => "",
            };
            const logs = new AgentLogs(bucket, database, clock);
            await logs.keep({ jobId: "aj_1", attempt: 1 }, "/dev/null");
            await logs.removeKeptBefore(2000, () => Promise.resolve());
            assert.deepEqual(await database.all("SELECT * FROM agent_logs"), []);
        });
    });
});

async function retry<T>(act: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
        try {
            return await act();
        } catch (error) {
            if (tries === 10) {
                throw error;
            }
        }
    }
}
