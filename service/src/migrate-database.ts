import { assertDatabaseUrl } from "./service-options.js";
import { PostgresDatabase } from "./store/postgres-database.js";
import { migrateSchema } from "./store/postgres-schema.js";

/**
 * Brings a PostgreSQL database up to this release's schema. Services and workers wait for it.
 *
 * @returns the versions of the schema before and after
 * @throws ServiceOptionsError when a newer release has set it up
 */
export async function migrateDatabase(url: string): Promise<{ from: number; to: number }> {
    assertDatabaseUrl(url);
    const database = new PostgresDatabase(url);
    try {
        return await migrateSchema(database);
    } finally {
        await database.close();
    }
}
