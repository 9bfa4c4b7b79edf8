import assert from "node:assert/strict";
import { AdminKeys, CreatorRevokedError } from "../../../service/src/keys/admin-keys.js";
import { untilBlocked, usePostgres, withPostgres } from "../support/postgres.js";

const rights = { scopes: ["keys", "read"] as const, domains: null, projects: null, expiresAt: null };

describe("A key that creates another one", () => {
    const server = usePostgres();

    it("creates none while it is revoked together with the keys that it has created", async () => {
        await withPostgres(server(), async (database) => {
            const keys = new AdminKeys(database, Date.now);
            const { key } = await keys.create({ name: "team", ...rights });
            const { creation } = await database.transaction(async (transaction) => {
                const made = await keys.madeBy(key.id, transaction);
                const creating = keys.create({ name: "hidden", ...rights, createdById: key.id });
                creating.catch(() => undefined);
                await untilBlocked(database, "SELECT 1 FROM admin_keys WHERE name = 'hidden'");
                for (const { id } of [key, ...made]) {
                    await keys.revoke(id, transaction);
                }
                return { creation: creating };
            }, "starts");
            await assert.rejects(creation, CreatorRevokedError);
            assert.deepEqual(await keys.madeBy(key.id), []);
        });
    });

    it("creates one until then", async () => {
        await withPostgres(server(), async (database) => {
            const keys = new AdminKeys(database, Date.now);
            const { key } = await keys.create({ name: "team", ...rights });
            const made = await keys.create({ name: "one", ...rights, createdById: key.id });
            assert.deepEqual(await keys.madeBy(key.id), [made.key]);
        });
    });
});
