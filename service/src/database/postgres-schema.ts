import { ServiceOptionsError } from "../shared/service-options-error.js";
import { type ServiceDatabase, type SqlClient, DatabaseRefusedError, DatabaseUnavailableError } from "./database.js";
import { readSchemas } from "./schemas.js";
import { type WaitOptions, waitUntilReady } from "../shared/wait-until-ready.js";

/**
 * The oldest schema version whose release also runs on this schema. Later files only add to the schema, so that
 * processes of the previous release can continue and restart, and a rollback to that release is possible. To remove a
 * part of the schema, raise this number to the version of the release that stopped using the part.
 */
export const usableFrom = 1;

/**
 * @throws ServiceOptionsError if a newer release has changed the schema in a way that this release cannot use, or the
 * database cannot store all characters
 */
async function readVersion(sqlClient: SqlClient, latest: number): Promise<number> {
    const encoding = await sqlClient.get<{ name: string }>("SELECT current_setting('server_encoding') AS name");
    // SQL_ASCII stores any bytes.
    if (encoding !== undefined && !["UTF8", "SQL_ASCII"].includes(encoding.name)) {
        throw new ServiceOptionsError(
            `The database stores texts in the encoding ${encoding.name}, which lacks characters of pages and logs: ` +
                "create the database with the encoding UTF8.",
        );
    }
    const known = await sqlClient.get<{ known: string | null }>("SELECT to_regclass('schema_version') AS known");
    if (known === undefined || known.known === null) {
        return 0;
    }
    const row = await sqlClient.get<{ version: number; usable_from: number }>("SELECT * FROM schema_version");
    const { version, usable_from: oldest } = row ?? { version: 0, usable_from: 0 };
    if (oldest > latest) {
        throw new ServiceOptionsError(
            `The database was set up by a newer release of the service (schema ${version}, this one knows ${latest}): ` +
                "upgrade the service; a schema cannot be downgraded.",
        );
    }
    return version;
}

/**
 * Updates the database's schema to this release's. Does nothing if the schema is already this release's, or newer.
 * Several processes may call this function at the same time.
 *
 * @param schemas - of the release @default this release's
 * @returns the versions before and after
 * @throws ServiceOptionsError when a newer release has changed the schema in a way that this release cannot use
 */
export async function migrateSchema(
    database: ServiceDatabase,
    schemas: readonly string[] = readSchemas("postgres"),
): Promise<{ from: number; to: number }> {
    return database.transaction(async (transaction) => {
        const from = await readVersion(transaction, schemas.length);
        if (from > schemas.length) {
            return { from, to: from };
        }
        for (const schema of schemas.slice(from)) {
            await transaction.run(schema);
        }
        await transaction.run(
            `CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL, usable_from BIGINT NOT NULL);
             DELETE FROM schema_version;
             INSERT INTO schema_version (version, usable_from) VALUES (${schemas.length}, ${usableFrom});`,
        );
        return { from, to: schemas.length };
    }, "schema");
}

/**
 * Whether the schema is this release's, or a newer one that this release can use; false for an older one.
 *
 * @throws ServiceOptionsError for a newer one that it cannot use
 */
async function hasSchema(database: ServiceDatabase): Promise<boolean> {
    const latest = readSchemas("postgres").length;
    return (await readVersion(database, latest)) >= latest;
}

/**
 * Resolves when the database is reachable and has this release's schema. Changes nothing: only `migrateSchema` does.
 *
 * @throws ServiceOptionsError when a newer release has changed the schema, and when the database refuses this process
 */
export async function waitForSchema(database: ServiceDatabase, options: WaitOptions): Promise<void> {
    const find = async (): Promise<string | undefined> =>
        (await hasSchema(database))
            ? undefined
            : "Waiting for the database's schema: run `static-export migrate` with this release.";
    await waitUntilReady(() => orUnreachable(find), options);
}

/**
 * Repeats a step of a start until the database can be reached: it may restart at any moment.
 *
 * @throws what the step throws for another reason, and ServiceOptionsError when the database refuses this process
 */
export async function untilReached(step: () => Promise<void>, options: WaitOptions): Promise<void> {
    await waitUntilReady(() => orUnreachable(() => step().then(() => undefined)), options);
}

/** @returns what `find` returns, or that the database cannot be reached */
async function orUnreachable(find: () => Promise<string | undefined>): Promise<string | undefined> {
    try {
        return await find();
    } catch (error) {
        if (error instanceof DatabaseRefusedError) {
            throw new ServiceOptionsError(error.message, { cause: error });
        }
        if (error instanceof DatabaseUnavailableError) {
            return `Waiting for the database: ${error.message}`;
        }
        throw error;
    }
}
