import assert from "node:assert/strict";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { migrateSchema } from "../../../service/src/database/postgres-schema.js";
import { AdminKeys, CreatorRevokedError } from "../../../service/src/keys/admin-keys.js";
import { waitUntil } from "../../wait-until.js";
import { usePostgres } from "../support/postgres.js";

const rights = { scopes: ["keys", "read"] as const, domains: null, projects: null, expiresAt: null };

describe("A key that creates another one", () => {
    const server = usePostgres();

    async function withDatabase(use: (database: PostgresDatabase) => Promise<void>): Promise<void> {
        const database = new PostgresDatabase(await server().createDatabase());
        try {
            await migrateSchema(database);
            await use(database);
        } finally {
            await database.close();
        }
    }

    it("creates none while it is revoked together with the keys that it has created", async () => {
        await withDatabase(async (database) => {
            const keys = new AdminKeys(database, Date.now);
            const { key } = await keys.create({ name: "team", ...rights });
            const { creation } = await database.transaction(async (transaction) => {
                const made = await keys.madeBy(key.id, transaction);
                const creating = keys.create({ name: "hidden", ...rights, createdById: key.id });
                creating.catch(() => undefined);
                await waitUntil("the key waits for the revocation, or is stored", async () => {
                    const reached = await database.get(
                        `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
                         UNION SELECT 1 FROM admin_keys WHERE name = 'hidden'`,
                    );
                    return reached !== undefined;
                });
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
        await withDatabase(async (database) => {
            const keys = new AdminKeys(database, Date.now);
            const { key } = await keys.create({ name: "team", ...rights });
            const made = await keys.create({ name: "one", ...rights, createdById: key.id });
            assert.deepEqual(await keys.madeBy(key.id), [made.key]);
        });
    });
});
