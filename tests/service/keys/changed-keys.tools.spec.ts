import { migrateDatabase } from "@pulumi-static-export/service";
import assert from "node:assert/strict";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { AdminKeys, keyScopes } from "../../../service/src/keys/admin-keys.js";
import { untilBlocked, usePostgres } from "../support/postgres.js";
import { withService } from "../support/running-service.js";

describe("A key that creates another one", () => {
    const server = usePostgres();

    it("creates none while another process revokes it together with the keys that it has created", async () => {
        const url = await server().createDatabase();
        await migrateDatabase(url);
        const database = new PostgresDatabase(url);
        try {
            await withService({ database: url }, async (running) => {
                const keys = new AdminKeys(database, Date.now);
                const rights = { scopes: keyScopes, domains: null, projects: null, expiresAt: null };
                const { key, secret } = await keys.create({ name: "team", ...rights });
                const create = (name: string) =>
                    running.request("POST", "/v1/keys", { json: { name, scopes: ["export"] }, key: secret });
                assert.equal((await create("one")).status, 201);
                const { creating } = await database.transaction(async (transaction) => {
                    const made = await keys.madeBy(key.id, transaction);
                    const sent = create("hidden");
                    await untilBlocked(database, "SELECT 1 FROM admin_keys WHERE name = 'hidden'");
                    for (const { id } of [key, ...made]) {
                        await keys.revoke(id, transaction);
                    }
                    return { creating: sent };
                }, "starts");
                assert.equal((await creating).status, 401);
                assert.deepEqual(await keys.madeBy(key.id), []);
            });
        } finally {
            await database.close();
        }
    });
});
