import { migrateDatabase } from "@pulumi-static-export/service";
import assert from "node:assert/strict";
import { Client } from "pg";
import { defaultTimes } from "../../../service/src/database/postgres-connections.js";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { hasPgBouncer, PgBouncer } from "../support/pgbouncer.js";
import { usePostgres } from "../support/postgres.js";
import { withFolder, withServiceOver } from "../support/running-service.js";
import { withWorker } from "../support/running-worker.js";
import { copyingExporter } from "../support/scripted-exporter.js";

describe("PgBouncer in transaction mode", () => {
    const server = usePostgres();
    let direct = "";
    let bouncer: PgBouncer | undefined;
    before(async function () {
        this.timeout(120_000);
        if (!hasPgBouncer()) {
            this.skip();
        }
        direct = await server().createDatabase();
        bouncer = await PgBouncer.start(direct);
        await migrateDatabase(bouncer.through(direct));
    });
    after(() => bouncer?.stop());
    const pooled = (): string => (bouncer as PgBouncer).through(direct);

    it("lets a service and a worker export and deliver a bundle", async () => {
        await withFolder((folder) =>
            withWorker(folder, pooled(), { exporter: copyingExporter }, () =>
                withServiceOver(folder, { database: pooled() }, async ({ start, reaches, link, request }) => {
                    const jobId = await start();
                    await reaches(jobId, "completed");
                    const { status } = await request("GET", await link(jobId), { key: null });
                    assert.equal(status, 200);
                }),
            ),
        );
    });

    it("limits six APIs and six workers to fewer than 100 connections at their peak", async () => {
        const processes = Array.from({ length: 12 }, () => new PostgresDatabase(pooled()));
        try {
            const work = processes.flatMap((database) =>
                Array.from({ length: 20 }, () =>
                    database.transaction((transaction) => transaction.get("SELECT pg_sleep(0.01)")),
                ),
            );
            await Promise.all(work);
            const admin = new PostgresDatabase(direct);
            const counted = await admin.get<{ clients: number }>(
                "SELECT count(*) AS clients FROM pg_stat_activity WHERE datname = current_database()",
            );
            await admin.close();
            assert.ok(Number(counted?.clients) <= 21, `${counted?.clients} connections of PgBouncer`);
        } finally {
            await Promise.all(processes.map((database) => database.close()));
        }
    });

    it("gives no setting of the service to other clients of the same user", async () => {
        const database = new PostgresDatabase(pooled());
        try {
            // Uses all connections of the service, so that another client gets one of the server's sessions.
            await Promise.all(Array.from({ length: 12 }, () => database.get("SELECT pg_sleep(0.05)")));
            const other = new Client({ connectionString: pooled() });
            await other.connect();
            const settings = ["statement_timeout", "idle_in_transaction_session_timeout"];
            for (const setting of settings) {
                const { rows } = await other.query<Record<string, string>>(`SHOW ${setting}`);
                assert.deepEqual(rows, [{ [setting]: "0" }]);
            }
            await other.end();
        } finally {
            await database.close();
        }
    });

    it("ends a statement of the service that takes too long, also outside of a transaction", async () => {
        const database = new PostgresDatabase(pooled(), { ...defaultTimes, statementMs: 50 });
        try {
            await assert.rejects(database.get("SELECT pg_sleep(5)"), /statement timeout/);
            assert.deepEqual(await database.get("SELECT 1 AS one"), { one: 1 });
        } finally {
            await database.close();
        }
    });

    it("causes a one-sentence error without a stack trace if the database name is unknown", async () => {
        const unknown = pooled().replace(/\/[^/]*$/, "/nobody_has_this");
        await assert.rejects(migrateDatabase(unknown), (error: Error) => {
            assert.equal(error.name, "ServiceOptionsError");
            assert.match(error.message, /^The database [^\n]*nobody_has_this[^\n]*$/);
            return true;
        });
    });
});
