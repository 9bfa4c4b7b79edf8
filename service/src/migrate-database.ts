import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { readOrCreateSecretFile } from "./secret-file.js";
import { assertDatabaseUrl } from "./service-options.js";
import { ServiceOptionsError } from "./shared/service-options-error.js";
import { copyDataFolder, DatabaseNotEmptyError } from "./store/copy-data-folder.js";
import { PostgresDatabase } from "./store/postgres-database.js";
import { migrateSchema } from "./store/postgres-schema.js";
import { openSqliteDatabase } from "./store/sqlite-database.js";

export interface Migration {
    /** Versions of the schema, before and after. */
    from: number;
    to: number;
    /** Export jobs that were copied from the data folder. */
    copiedJobs: number;
}

/**
 * Brings a PostgreSQL database up to this release's schema. Services and workers wait for it.
 *
 * @param dataDir - copies the jobs, prompts and keys of this data folder into the database, which must be empty; no
 * service may be using the folder, and its bundles stay in it
 * @throws ServiceOptionsError
 */
export async function migrateDatabase(url: string, dataDir?: string): Promise<Migration> {
    assertDatabaseUrl(url);
    const database = new PostgresDatabase(url);
    try {
        const versions = await migrateSchema(database);
        return { ...versions, copiedJobs: dataDir === undefined ? 0 : await copyFrom(resolve(dataDir), database) };
    } catch (error) {
        throw error instanceof DatabaseNotEmptyError ? new ServiceOptionsError(error.message) : error;
    } finally {
        await database.close();
    }
}

async function copyFrom(dataDir: string, target: PostgresDatabase): Promise<number> {
    if (!existsSync(join(dataDir, "service.sqlite"))) {
        throw new ServiceOptionsError(`${dataDir} is not the data folder of a service: it has no service.sqlite.`);
    }
    const source = openSqliteDatabase(dataDir);
    try {
        return await copyDataFolder(source, target, readOrCreateSecretFile(join(dataDir, "link-secret")));
    } finally {
        await source.close();
    }
}
