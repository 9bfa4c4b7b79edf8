import assert from "node:assert/strict";
import { DatabaseUnavailableError } from "../../../service/src/database/database.js";
import { defaultTimes } from "../../../service/src/database/postgres-connections.js";
import { migrateSchema } from "../../../service/src/database/postgres-schema.js";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { waitUntil } from "../../wait-until.js";
import { usePostgres } from "../support/postgres.js";
import { TcpProxy } from "../support/tcp-proxy.js";

/** Short timeouts keep the specs fast. */
const times = { connectMs: 1000, statementMs: 1200, answerMs: 1500, silentMs: 300, closeMs: 500 };

/** The quick form of failover.long.tools.spec.ts and cut-link.long.tools.spec.ts, without services. */
describe("A connection to PostgreSQL that is lost", () => {
    const server = usePostgres();

    async function withProxy(use: (proxy: TcpProxy, url: string) => Promise<void>): Promise<void> {
        const url = await server().createDatabase();
        const proxy = await TcpProxy.start(Number(new URL(url).port));
        try {
            await use(proxy, proxy.through(url));
        } finally {
            await proxy.close();
        }
    }

    async function withDatabase(url: string, use: (database: PostgresDatabase) => Promise<void>): Promise<void> {
        const database = new PostgresDatabase(url, times);
        try {
            await use(database);
        } finally {
            await database.close();
        }
    }

    const answers = async (database: PostgresDatabase): Promise<unknown> =>
        (await database.get<{ one: number }>("SELECT 1 AS one"))?.one;

    it("fails only one statement, and the next statement gets a new connection", async () => {
        await withProxy((proxy, url) =>
            withDatabase(url, async (database) => {
                // Opens several connections, and leaves them idle; the database must not use them again.
                await Promise.all([1, 2, 3].map(() => database.run("SELECT pg_sleep(0.05)")));
                proxy.cut();
                await assert.rejects(answers(database), DatabaseUnavailableError);
                assert.equal(await answers(database), 1);
                assert.equal(await answers(database), 1);
            }),
        );
    });

    it("does not delay the end of the process, whether it is idle or runs a statement", async () => {
        await withProxy(async (proxy, url) => {
            const database = new PostgresDatabase(url, { ...times, answerMs: 60_000 });
            await Promise.all([1, 2].map(() => database.run("SELECT pg_sleep(0.05)")));
            const running = database.run("SELECT pg_sleep(0.05)");
            proxy.cut();
            const lost = assert.rejects(running, DatabaseUnavailableError);
            const beganMs = performance.now();
            await database.close();
            await lost;
            assert.ok(performance.now() - beganMs < 20 * times.closeMs);
        });
    });

    it("is given up when the process ends, even by a statement that may take a minute, and later statements fail", async () => {
        await withProxy(async (proxy, url) => {
            const database = new PostgresDatabase(url, times);
            await answers(database);
            proxy.die();
            const patient = database.transaction((within) => within.get("SELECT 1 AS one"), "retention");
            const beganMs = performance.now();
            database.closing();
            await assert.rejects(patient, DatabaseUnavailableError);
            assert.ok(performance.now() - beganMs < 10 * times.answerMs);
            await assert.rejects(answers(database), /the process ends/);
            await database.close();
        });
    });

    it("is given up and replaced within 15 seconds by default", () => {
        const { connectMs, statementMs, answerMs, silentMs } = defaultTimes;
        assert.ok(answerMs + connectMs < 15_000);
        assert.ok(statementMs < answerMs && silentMs < 15_000);
    });

    it("is replaced by a connection to another host if its own host accepts no connections", async () => {
        await withProxy(async (proxy, url) => {
            const { port, pathname } = new URL(url);
            const direct = new URL(await server().createDatabase()).port;
            const several = `postgres://static_export@127.0.0.1:${port},127.0.0.1:${direct}${pathname}`;
            await withDatabase(several, async (database) => {
                assert.equal(await answers(database), 1);
                proxy.die();
                await assert.rejects(answers(database), DatabaseUnavailableError);
                await waitUntil("the other host answers", async () => (await answers(database).catch(() => 0)) === 1);
            });
        });
    });

    it("releases the lock of its transaction, and the server undoes the changes", async () => {
        await withProxy(async (proxy, url) => {
            const { port } = new URL(await server().createDatabase());
            const direct = new URL(url);
            direct.port = port;
            await withDatabase(direct.href, async (other) => {
                await other.run("CREATE TABLE notes (note TEXT)");
                await withDatabase(url, async (database) => {
                    const lost = database.transaction(async (transaction) => {
                        await transaction.run("INSERT INTO notes VALUES ('lost')");
                        proxy.cut();
                        await transaction.run("SELECT 1");
                    }, "claim");
                    await assert.rejects(lost, DatabaseUnavailableError);
                    await other.transaction(
                        (transaction) => transaction.run("INSERT INTO notes VALUES ('next')"),
                        "claim",
                    );
                    assert.deepEqual(await other.all("SELECT note FROM notes"), [{ note: "next" }]);
                });
            });
        });
    });

    it("is needed for nothing to see that the database accepts writes while requests use all others", async () => {
        const url = await server().createDatabase();
        await withDatabase(url, async (database) => {
            await migrateSchema(database);
            await database.run("CREATE TABLE notes (note TEXT)");
            // Each waits for a lock that the first transaction holds until the end.
            const { promise: end, resolve } = Promise.withResolvers<undefined>();
            const holding = database.transaction(async (transaction) => {
                await transaction.run("LOCK TABLE notes");
                while (!(await Promise.race([end.then(() => true), transaction.run("SELECT 1").then(() => false)]))) {
                    // Keeps the transaction from being ended as silent.
                }
            });
            const waiting = Array.from({ length: 20 }, () =>
                database.run("INSERT INTO notes VALUES ('x')").catch(() => undefined),
            );
            await waitUntil("all connections are used", () =>
                Promise.resolve(database.connections().waiting > 0 && database.connections().used >= 5),
            );
            const beganAt = performance.now();
            await database.assertWritable();
            assert.ok(performance.now() - beganAt < 1000);
            assert.ok(database.connections().waiting > 0);
            assert.ok(database.connections().used + database.connections().idle <= 6);
            resolve(undefined);
            await Promise.all([holding, ...waiting]);
        });
    });

    it("makes writes fail as unavailable if the primary has become read-only", async () => {
        const url = await server().createDatabase();
        await withDatabase(url, async (database) => {
            await database.run("CREATE TABLE notes (note TEXT)");
            await database.run(
                `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`,
            );
            await withDatabase(url, async (standby) => {
                await assert.rejects(standby.run("INSERT INTO notes VALUES ('x')"), (error: Error) => {
                    assert.ok(error instanceof DatabaseUnavailableError);
                    assert.match(error.message, /accepts no writes \(25006/);
                    return true;
                });
            });
        });
    });
});
