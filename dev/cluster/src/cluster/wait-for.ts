import { setTimeout as sleep } from "node:timers/promises";

interface WaitForOptions {
    readonly timeoutMs: number;
    readonly signal?: AbortSignal | undefined;
    /** @default 100 */
    readonly intervalMs?: number;
    readonly now?: () => number;
    readonly delay?: (durationMs: number, signal: AbortSignal | undefined) => Promise<unknown>;
}

/**
 * Calls `findMissing` repeatedly until nothing is missing.
 *
 * @param findMissing Resolves to a description of the missing parts; a rejection counts as missing.
 * @returns undefined, or the parts that were missing at the timeout.
 */
export async function waitFor(
    findMissing: () => Promise<string | undefined>,
    { timeoutMs, signal, intervalMs = 100, now = performance.now.bind(performance), delay = abortable }: WaitForOptions,
): Promise<string | undefined> {
    const deadline = now() + timeoutMs;
    for (;;) {
        signal?.throwIfAborted();
        const missing = await findMissing().catch((error: unknown) =>
            error instanceof Error ? error.message : String(error),
        );
        if (missing === undefined || now() >= deadline) {
            return missing;
        }
        await delay(intervalMs, signal);
    }
}

function abortable(durationMs: number, signal: AbortSignal | undefined): Promise<unknown> {
    // The start of the loop throws the signal's own reason after an abort.
    return sleep(durationMs, undefined, signal && { signal }).catch(() => undefined);
}
