import assert from "node:assert/strict";
import { migrateDatabase } from "@pulumi-static-export/service";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { waitUntil } from "../../wait-until.js";
import { usePostgres } from "../support/postgres.js";
import { Probe } from "../support/probe.js";
import { domain, withFolder, withServiceOver } from "../support/running-service.js";

const jobs = "/v1/static-export/jobs";

describe("A database failover", () => {
    const server = usePostgres();
    const createDatabase = async (): Promise<string> => {
        const url = await server().createDatabase();
        await migrateDatabase(url);
        return url;
    };

    it("to a read-only server makes the service unready, and writes fail with 503 until its end", async () => {
        const database = await createDatabase();
        const probe = await Probe.create();
        const admin = new PostgresDatabase(await server().createDatabase());
        const name = new URL(database).pathname.slice(1);
        const setReadOnly = async (value: "on" | "off"): Promise<void> => {
            await admin.run(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
            await admin.all("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name", { name });
        };
        const start = { json: { domain } };
        try {
            await withFolder((folder) =>
                withServiceOver(folder, { database, health: probe.health }, async ({ request }) => {
                    await setReadOnly("on");
                    const refused = await waitUntil("the standby answers", async () => {
                        const answer = await request("POST", jobs, start);
                        const { text } = await probe.ask("/readyz");
                        return text.includes("accepts no writes") && answer;
                    });
                    assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "5"]);
                    assert.equal((await probe.ask("/readyz")).status, 503);
                    await setReadOnly("off");
                    await waitUntil("it is ready", async () => (await probe.ask("/readyz")).status === 200);
                    assert.equal((await request("POST", jobs, start)).status, 202);
                }),
            );
        } finally {
            await admin.close();
        }
    });
});
