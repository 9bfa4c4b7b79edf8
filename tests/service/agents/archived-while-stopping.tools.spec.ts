import assert from "node:assert/strict";
import { AgentJobStore } from "../../../service/src/agents/agent-job-store.js";
import { PromptAttempts } from "../../../service/src/agents/prompt-attempts.js";
import { type ServiceDatabase, type SqlClient } from "../../../service/src/database/database.js";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { migrateSchema } from "../../../service/src/database/postgres-schema.js";
import { untilBlocked, usePostgres } from "../support/postgres.js";

describe("A prompt whose job is archived while its run stops", () => {
    const server = usePostgres();

    for (const how of ["put back", "taken by another worker"] as const) {
        it(`is done, not waiting, if the run is ${how} before the archiving is stored`, async () => {
            const url = await server().createDatabase();
            const [api, worker] = [new PostgresDatabase(url), new PostgresDatabase(url)];
            try {
                await migrateSchema(api);
                const store = new AgentJobStore(api, Date.now);
                const attempts = new PromptAttempts(worker);
                const { id } = await store.create("docs", { repository: "https://git.example.com/acme/docs" }, "One.");
                const run = (await attempts.claim())!;
                const ending = await api.transaction(async (transaction) => {
                    await storeWithin(transaction).archive(id);
                    const ended = how === "put back" ? attempts.putBack(run) : attempts.takeFrom({ ...run, ticks: 0 });
                    // Otherwise it might begin after the archiving.
                    await untilBlocked(api, "SELECT 1 FROM agent_prompts WHERE state <> 'running'");
                    return { ended };
                });
                assert.equal(await ending.ended, how === "put back" ? "cancelled" : true);
                assert.deepEqual(await store.queue(), { queued: 0, running: 0, oldestQueuedAt: undefined });
            } finally {
                await Promise.all([api.close(), worker.close()]);
            }
        });
    }
});

/** Stores its changes when the transaction ends. */
function storeWithin(transaction: SqlClient): AgentJobStore {
    const database: Pick<ServiceDatabase, "transaction"> = { transaction: (change) => change(transaction) };
    return new AgentJobStore(database as ServiceDatabase, Date.now);
}
