import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type BucketOptions } from "../storage/bucket-options.js";
import { createStorage } from "../storage/create-storage.js";
import { listArchives } from "../storage/bundles-in-folder.js";
import { silentLogger } from "../shared/logger.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";
import { copyDataFolder, DatabaseNotEmptyError } from "./copy-data-folder.js";
import { DatabaseUnavailableError } from "../database/database.js";
import { PostgresDatabase } from "../database/postgres-database.js";
import { migrateSchema } from "../database/postgres-schema.js";
import { copySqliteDatabase, openSqliteDatabase } from "../database/sqlite-database.js";

export interface Migration {
    /** Versions of the schema, before and after. */
    from: number;
    to: number;
    /** Export jobs that were copied from the data folder. */
    copiedJobs: number;
}

/**
 * Brings a PostgreSQL database up to this release's schema. Services and workers wait until the schema is up to date.
 *
 * @param dataDir - a data folder whose jobs, prompts and keys are copied into the database, which must be empty; no
 * service may be using the folder
 * @param bucket - the target for the folder's bundles and agents' logs @default they stay in the folder
 * @throws ServiceOptionsError, StorageUnavailableError
 */
export async function migrateDatabase(url: string, dataDir?: string, bucket?: BucketOptions): Promise<Migration> {
    const database = new PostgresDatabase(url);
    try {
        const versions = await migrateSchema(database);
        if (dataDir === undefined) {
            return { ...versions, copiedJobs: 0 };
        }
        const folder = resolve(dataDir);
        if (bucket !== undefined) {
            await copyFiles(folder, database, bucket);
        }
        return { ...versions, copiedJobs: await copyFrom(folder, database) };
    } catch (error) {
        throw error instanceof DatabaseNotEmptyError || error instanceof DatabaseUnavailableError
            ? new ServiceOptionsError(error.message)
            : error;
    } finally {
        await database.close();
    }
}

/**
 * Copies bundles and agents' logs before the jobs, because the migration cannot be repeated when the database contains
 * jobs.
 */
async function copyFiles(folder: string, database: PostgresDatabase, bucket: BucketOptions): Promise<void> {
    const bundles = join(folder, "bundles");
    const target = createStorage({ bucket, folders: { bundles }, database, clock: Date.now, logger: silentLogger });
    try {
        await target.bundles.assertReachable();
        for (const { sha256, path } of await listArchives(bundles)) {
            const { size } = await stat(path);
            await target.bundles.keep(path, { sha256, sizeBytes: size }, new AbortController().signal);
        }
        const logs = join(folder, "agent", "logs");
        for (const name of await readdir(logs).catch((): string[] => [])) {
            const [, jobId] = /^(aj_[0-9a-f]+)\.log$/.exec(name) ?? [];
            if (jobId !== undefined) {
                // A folder has one log for all runs of a job, and a bucket one for each: this one comes before those.
                await target.agentLogs?.keep({ jobId, attempt: 0 }, join(logs, name));
            }
        }
    } finally {
        await target.close();
    }
}

async function copyFrom(dataDir: string, target: PostgresDatabase): Promise<number> {
    if (!existsSync(join(dataDir, "service.sqlite"))) {
        throw new ServiceOptionsError(`${dataDir} is not the data folder of a service: it has no service.sqlite.`);
    }
    // A newer release would upgrade the folder's database, and the release that wrote it could not go back to it.
    const copy = await mkdtemp(join(dataDir, "migrate-"));
    try {
        copySqliteDatabase(dataDir, copy);
        const source = openSqliteDatabase(copy);
        try {
            return await copyDataFolder(source, target);
        } finally {
            await source.close();
        }
    } finally {
        await rm(copy, { recursive: true, force: true });
    }
}
