import { readdirSync, readFileSync } from "node:fs";
import { ServiceOptionsError } from "../shared/service-options-error.js";
import { type ServiceDatabase, type SqlClient, DatabaseUnavailableError } from "./database.js";
import { type WaitOptions, waitUntilReady } from "../shared/wait-until-ready.js";

const folder = new URL("../../schema/postgres/", import.meta.url);

/**
 * The oldest schema whose release runs on this one as well. Files after it only add to the schema, so that processes of
 * the release before go on, start again and may be rolled back to. To remove something, raise it to the version of the
 * release before, which has stopped using it.
 */
export const usableFrom = 12;

/** The files in the order in which they apply; a database's version is the number of those it has had. */
function schemaFiles(): string[] {
    return readdirSync(folder)
        .filter((name) => name.endsWith(".sql"))
        .sort();
}

/** @throws ServiceOptionsError if a newer release has set it up in a way that this one cannot use */
async function readVersion(sqlClient: SqlClient, latest: number): Promise<number> {
    const known = await sqlClient.get<{ known: string | null }>("SELECT to_regclass('schema_version') AS known");
    if (known === undefined || known.known === null) {
        return 0;
    }
    // Releases that knew no schema but their own have written no column usable_from.
    const row = await sqlClient.get<{ version: number; usable_from?: number | null }>("SELECT * FROM schema_version");
    const version = row?.version ?? 0;
    if ((row?.usable_from ?? version) > latest) {
        throw new ServiceOptionsError(
            `The database was set up by a newer release of the service (schema ${version}, this one knows ${latest}): ` +
                "upgrade the service; a schema cannot be downgraded.",
        );
    }
    return version;
}

/**
 * Brings the database's schema up to this release's. Does nothing if that or a newer one is there already; several
 * processes may run it at once.
 *
 * @returns the versions before and after
 * @throws ServiceOptionsError when a newer release has set it up in a way that this one cannot use
 */
export async function migrateSchema(database: ServiceDatabase): Promise<{ from: number; to: number }> {
    const files = schemaFiles();
    return database.transaction(async (transaction) => {
        const from = await readVersion(transaction, files.length);
        if (from > files.length) {
            return { from, to: from };
        }
        for (const file of files.slice(from)) {
            await transaction.run(readFileSync(new URL(file, folder), "utf8"));
        }
        await transaction.run(
            `CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL);
             ALTER TABLE schema_version ADD COLUMN IF NOT EXISTS usable_from BIGINT;
             DELETE FROM schema_version;
             INSERT INTO schema_version (version, usable_from) VALUES (${files.length}, ${usableFrom});`,
        );
        return { from, to: files.length };
    }, "schema");
}

/**
 * Whether the schema is this release's, or a newer one that it can use; false for an older one.
 *
 * @throws ServiceOptionsError for a newer one that it cannot use
 */
export async function hasSchema(database: ServiceDatabase): Promise<boolean> {
    const latest = schemaFiles().length;
    return (await readVersion(database, latest)) >= latest;
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
