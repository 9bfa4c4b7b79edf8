import { setTimeout as delay } from "node:timers/promises";
import { type ServiceLogger } from "./logger.js";
import { ServiceOptionsError } from "./service-options-error.js";

export interface WaitOptions {
    signal: AbortSignal;
    logger: Pick<ServiceLogger, "info">;
    /** @default 1000 */
    retryMs?: number;
    /** Milliseconds of a clock that never goes back. */
    now?: () => number;
}

/** Longer than a database of a cluster takes to start; a supervisor restarts the process. */
const limitMs = 5 * 60_000;
/** How often the log repeats what is missing. */
const repeatMs = 30_000;

/**
 * Resolves when `findMissing` finds nothing. Logs the missing part when it changes, and every 30 seconds.
 *
 * @throws ServiceOptionsError with the missing part after five minutes
 */
export async function waitUntilReady(
    findMissing: () => Promise<string | undefined>,
    { signal, logger, retryMs = 1000, now = () => performance.now() }: WaitOptions,
): Promise<void> {
    const startedMs = now();
    let said = "";
    let saidMs = startedMs;
    for (;;) {
        signal.throwIfAborted();
        const missing = await findMissing();
        signal.throwIfAborted();
        if (missing === undefined) {
            return;
        }
        const waitedMs = now() - startedMs;
        if (waitedMs >= limitMs) {
            throw new ServiceOptionsError(`${missing} Gave up after ${limitMs / 60_000} minutes.`);
        }
        if (missing !== said || now() - saidMs >= repeatMs) {
            logger.info(
                missing === said ? `${missing} Still waiting after ${Math.round(waitedMs / 1000)} s.` : missing,
            );
            said = missing;
            saidMs = now();
        }
        await delay(retryMs, undefined, { signal });
    }
}
