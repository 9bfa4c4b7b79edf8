import { setTimeout as delay } from "node:timers/promises";

const maxPollIntervalMs = 100;

/**
 * Polls for an effect of another process that sends no event: immediately, and then less and less often, because
 * polling takes CPU time from that process.
 *
 * @param what - names the effect in the error message if the effect does not occur
 * @returns the first result of `find` that is neither undefined, false nor an empty text, such as that of a file that
 * another process has created and not yet written
 */
export async function waitUntil<T>(
    what: string,
    find: () => T | undefined | false | Promise<T | undefined | false>,
    { withinMs = 60_000 }: { withinMs?: number } = {},
): Promise<T> {
    const startedAt = performance.now();
    for (let waitedMs = 0; waitedMs < withinMs; waitedMs = performance.now() - startedAt) {
        const found = await find();
        if (found !== undefined && found !== false && found !== "") {
            return found;
        }
        await delay(Math.min(5 + waitedMs / 10, maxPollIntervalMs));
    }
    throw new Error(`Not within ${withinMs / 1000} s: ${what}`);
}
