import { type WaitOptions, waitUntilReady } from "../shared/wait-until-ready.js";
import { DatabaseUnavailableError, type ServiceDatabase } from "./database.js";
import { hasSchema } from "./postgres-schema.js";

/**
 * Resolves when the database can be reached and has this release's schema. It changes nothing: that is for migrating.
 *
 * @throws ServiceOptionsError when a newer release has set it up, and what the server says about user or name
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
