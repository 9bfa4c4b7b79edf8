import { setTimeout as delay } from "node:timers/promises";
import { type ServiceLogger } from "./logger.js";

export interface WaitOptions {
    signal: AbortSignal;
    logger: ServiceLogger;
    /** @default 1000 */
    retryMs?: number;
}

/** Resolves when `findMissing` finds nothing. Logs the missing parts whenever they change. */
export async function waitUntilReady(
    findMissing: () => Promise<string | undefined>,
    { signal, logger, retryMs = 1000 }: WaitOptions,
): Promise<void> {
    let said = "";
    for (;;) {
        const missing = await findMissing();
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
