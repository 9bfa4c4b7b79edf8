import { createAgentWorker, migrateDatabase } from "@pulumi-static-export/service";
import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { waitUntil } from "../../wait-until.js";
import { usePostgres } from "../support/postgres.js";
import { withFolder, withServiceOver } from "../support/running-service.js";
import { withWorker } from "../support/running-worker.js";
import { ScriptedAgents } from "../support/scripted-agents.js";
import { ScriptedExporter } from "../support/scripted-exporter.js";

describe("A PostgreSQL server that is stopped for 60 seconds", function () {
    this.timeout(240_000);
    const server = usePostgres();

    it("takes no live export from its worker, although another worker looks for dead ones", async () => {
        const database = await server().createDatabase();
        await migrateDatabase(database);
        const [exporter, idle] = [new ScriptedExporter(), new ScriptedExporter()];
        await withFolder((folder) =>
            withServiceOver(folder, { database }, async ({ start, reaches }) => {
                await withWorker(`${folder}`, database, { exporter, dataDir: `${folder}/one` }, async () => {
                    const jobId = await start();
                    const running = await exporter.nth(1);
                    await withWorker(folder, database, { exporter: idle, dataDir: `${folder}/two` }, async () => {
                        await server().kill();
                        await delay(60_000);
                        await server().resume();
                        // Longer than the time after which a silent worker counts as dead.
                        await delay(50_000);
                        await running.complete();
                        await reaches(jobId, "completed");
                    });
                    assert.deepEqual([exporter.begun.length, idle.begun.length], [1, 0]);
                    const reader = new PostgresDatabase(database);
                    try {
                        const row = await reader.get<{ attempt: number }>("SELECT attempt FROM static_export_jobs");
                        assert.equal(row?.attempt, 1);
                    } finally {
                        await reader.close();
                    }
                });
            }),
        );
    });

    it("takes no live prompt from its agent, which runs once", async () => {
        const database = await server().createDatabase();
        await migrateDatabase(database);
        await withFolder(async (folder) => {
            const agents = await ScriptedAgents.create(folder);
            const projects = { docs: { repository: agents.repository } };
            await withServiceOver(folder, { database, projects }, async ({ request }) => {
                const workers = ["one", "two"].map((name) =>
                    createAgentWorker({ agent: agents.options, projects, database, dataDir: join(folder, name) }),
                );
                await Promise.all(workers.map((worker) => worker.start()));
                try {
                    const json = { prompt: "Fix typos." };
                    const { body } = await request("POST", "/v2/agent/docs/job", { json });
                    const id = String(body["id"]);
                    await agents.hasPrompts(id, 1);
                    await server().kill();
                    await delay(60_000);
                    await server().resume();
                    await delay(50_000);
                    await agents.end(id, "changed");
                    await waitUntil(
                        "the end of the job",
                        async () => (await request("GET", `/v2/agent/docs/job/${id}`)).body["status"] === "completed",
                    );
                    assert.equal((await agents.prompts(id)).length, 1);
                } finally {
                    await Promise.all(workers.map((worker) => worker.close()));
                }
            });
        });
    });
});
