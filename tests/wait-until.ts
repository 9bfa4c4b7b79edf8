import { setTimeout as delay } from "node:timers/promises";

export interface WaitOptions {
    /** @default 60000 */
    withinMs?: number;
    /** How often it looks. @default 50 */
    pollMs?: number;
}

/**
 * Polls for what another process does and tells nobody.
 *
 * @param what - what the error says when it has not happened in time
 * @returns what `find` returned, when that was neither undefined nor false
 */
export async function waitUntil<T>(
    what: string,
    find: () => T | undefined | false | Promise<T | undefined | false>,
    { withinMs = 60_000, pollMs = 50 }: WaitOptions = {},
): Promise<T> {
    for (const giveUpAt = performance.now() + withinMs; performance.now() < giveUpAt; await delay(pollMs)) {
        const found = await find();
        if (found !== undefined && found !== false) {
            return found;
        }
    }
    throw new Error(`Not within ${withinMs / 1000} s: ${what}`);
}
