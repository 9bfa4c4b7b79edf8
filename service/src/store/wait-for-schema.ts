import { setTimeout as delay } from "node:timers/promises";
import { type ServiceLogger } from "../shared/logger.js";
import { DatabaseUnavailableError, type ServiceDatabase } from "./database.js";
import { hasSchema } from "./postgres-schema.js";

export interface WaitForSchemaOptions {
    signal: AbortSignal;
    logger: ServiceLogger;
    /** @default 1000 */
    retryMs?: number;
}

/**
 * Resolves when the database can be reached and has this release's schema. It changes nothing: that is for migrating.
 *
 * @throws ServiceOptionsError when a newer release has set it up, and what the server says about user or name
 */
export async function waitForSchema(
    database: ServiceDatabase,
    { signal, logger, retryMs = 1000 }: WaitForSchemaOptions,
): Promise<void> {
    let said = "";
    for (;;) {
        const missing = await findMissing(database);
        if (missing === undefined) {
            return;
        }
        if (missing !== said) {
            logger.info(missing);
            said = missing;
        }
        await delay(retryMs, undefined, { signal });
    }
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
