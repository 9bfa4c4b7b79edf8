import { type WaitOptions, waitUntilReady } from "../shared/wait-until-ready.js";
import { DatabaseUnavailableError, type ServiceDatabase } from "./database.js";
import { hasSchema } from "./postgres-schema.js";

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
