import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { migrateSchema } from "../../../service/src/database/postgres-schema.js";
import { openSqliteDatabase } from "../../../service/src/database/sqlite-database.js";
import { usePostgres } from "../support/postgres.js";

type WithDatabase = (use: (database: ServiceDatabase) => Promise<void>) => Promise<void>;

/** Declares the same specs for SQLite and for PostgreSQL, each with a separate database. */
export function describeOnBoth(title: string, declare: (withDatabase: WithDatabase) => void): void {
    describe(`${title}, on SQLite`, () => {
        declare(async (use) => {
            const folder = await mkdtemp(join(tmpdir(), "store-"));
            const database = openSqliteDatabase(folder);
            try {
                await use(database);
            } finally {
                await database.close();
                await rm(folder, { recursive: true, force: true });
            }
        });
    });
    describe(`${title}, on PostgreSQL`, () => {
        const server = usePostgres();
        declare(async (use) => {
            const database = new PostgresDatabase(await server().createDatabase());
            try {
                await migrateSchema(database);
                await use(database);
            } finally {
                await database.close();
            }
        });
    });
}
