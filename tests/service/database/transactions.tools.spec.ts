import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { openSqliteDatabase } from "../../../service/src/database/sqlite-database.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { domain, withFolder } from "../support/running-service.js";
import { usePostgres } from "../support/postgres.js";
import { describeOnBoth } from "./databases.js";

describeOnBoth("A transaction of the service's database", (withDatabase) => {
    it("leaves no changes if it throws", async () => {
        await withDatabase(async (database) => {
            const store = new SiteJobStore(database, Date.now);
            const work = database.transaction(async (transaction) => {
                await store.create({ domain }, transaction);
                throw new Error("no");
            });
            await assert.rejects(work, /^Error: no$/);
            assert.equal(await store.count(), 0);
        });
    });

    it("does not contain statements that another request sends at the same time", async () => {
        await withDatabase(async (database) => {
            const store = new SiteJobStore(database, Date.now);
            const work = database.transaction(async (transaction) => {
                await store.create({ domain }, transaction);
                await turn();
                throw new Error("no");
            });
            const other = store.create({ domain });
            await assert.rejects(work);
            const { jobId } = await other;
            assert.equal((await store.get(jobId))?.status, "queued");
            assert.equal(await store.count(), 1);
        });
    });

    it("waits for an open transaction with the same lock", async () => {
        await withDatabase(async (database) => {
            const order: string[] = [];
            const work = (name: string) => async (): Promise<void> => {
                order.push(`${name} begins`);
                await turn();
                order.push(`${name} ends`);
            };
            await Promise.all([
                database.transaction(work("first"), "claim"),
                database.transaction(work("second"), "claim"),
            ]);
            // On PostgreSQL, either transaction may get its connection first.
            const [one, other] = order[0] === "first begins" ? ["first", "second"] : ["second", "first"];
            assert.deepEqual(order, [`${one} begins`, `${one} ends`, `${other} begins`, `${other} ends`]);
        });
    });
});

describe("A transaction of the service's database, on SQLite", () => {
    it("ends before the database is closed", async () => {
        await withFolder(async (folder) => {
            const database = openSqliteDatabase(folder);
            const store = new SiteJobStore(database, Date.now);
            const work = database.transaction(async (transaction) => {
                await turn();
                return store.create({ domain }, transaction);
            });
            await database.close();
            const { jobId } = await work;
            const again = openSqliteDatabase(folder);
            assert.equal((await new SiteJobStore(again, Date.now).get(jobId))?.domain, domain);
            await again.close();
        });
    });
});

describe("A transaction of the service's database, on PostgreSQL", () => {
    const server = usePostgres();

    it("sees what others have committed, as do single statements, if the database has another default", async () => {
        const url = await server().createDatabase();
        const admin = new PostgresDatabase(url);
        await admin.run(
            `ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET default_transaction_isolation = serializable`,
        );
        await admin.close();
        const database = new PostgresDatabase(url);
        try {
            const show = "SELECT current_setting('transaction_isolation') AS level";
            const levels = [
                await database.get(show),
                await database.transaction((transaction) => transaction.get(show)),
            ];
            assert.deepEqual(levels, [{ level: "read committed" }, { level: "read committed" }]);
        } finally {
            await database.close();
        }
    });
});
