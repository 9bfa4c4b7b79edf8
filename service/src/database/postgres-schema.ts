import { readdirSync, readFileSync } from "node:fs";
import { ServiceOptionsError } from "../shared/service-options-error.js";
import { type ServiceDatabase, type SqlRunner, DatabaseUnavailableError } from "./database.js";
import { type WaitOptions, waitUntilReady } from "../shared/wait-until-ready.js";

const folder = new URL("../../schema/postgres/", import.meta.url);

/** The files in the order in which they apply; a database's version is the number of those it has had. */
function schemaFiles(): string[] {
    return readdirSync(folder)
        .filter((name) => name.endsWith(".sql"))
        .sort();
}

async function readVersion(runner: SqlRunner): Promise<number> {
    const known = await runner.get<{ known: string | null }>("SELECT to_regclass('schema_version') AS known");
    if (known === undefined || known.known === null) {
        return 0;
    }
    return (await runner.get<{ version: number }>("SELECT version FROM schema_version"))?.version ?? 0;
}

function assertNotNewer(version: number, latest: number): void {
    if (version > latest) {
        throw new ServiceOptionsError(
            `The database was set up by a newer release of the service (schema ${version}, this one knows ${latest}): ` +
                "upgrade the service; a schema cannot be downgraded.",
        );
    }
}

/**
 * Brings the database's schema up to this release's. Does nothing if it is there already; several processes may run it
 * at once.
 *
 * @returns the versions before and after
 * @throws ServiceOptionsError when a newer release has set it up
 */
export async function migrateSchema(database: ServiceDatabase): Promise<{ from: number; to: number }> {
    const files = schemaFiles();
    return database.transaction(async (transaction) => {
        const from = await readVersion(transaction);
        assertNotNewer(from, files.length);
        for (const file of files.slice(from)) {
            await transaction.run(readFileSync(new URL(file, folder), "utf8"));
        }
        await transaction.run(
            `CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL);
             DELETE FROM schema_version; INSERT INTO schema_version VALUES (${files.length});`,
        );
        return { from, to: files.length };
    }, "schema");
}

/** Whether the schema is this release's; false for an older one. @throws ServiceOptionsError for a newer one */
export async function hasSchema(database: ServiceDatabase): Promise<boolean> {
    const version = await readVersion(database);
    const latest = schemaFiles().length;
    assertNotNewer(version, latest);
    return version === latest;
}

/**
 * Resolves when the database can be reached and has this release's schema. Changes nothing: only `migrateSchema` does.
 *
 * @throws ServiceOptionsError when a newer release has set it up, and the server's error about the user or the name of
 * the database
 */
export async function waitForSchema(database: ServiceDatabase, options: WaitOptions): Promise<void> {
    await waitUntilReady(() => findMissing(database), options);
}

async function findMissing(database: ServiceDatabase): Promise<string | undefined> {
    try {
        return (await hasSchema(database))
            ? undefined
            : "Waiting for the database's schema: run `static-export migrate` with this release.";
    } catch (error) {
        if (error instanceof DatabaseUnavailableError) {
            return `Waiting for the database: ${error.message}`;
        }
        throw error;
    }
}
