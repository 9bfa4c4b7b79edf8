import { setTimeout as sleep } from "node:timers/promises";

export interface WaitForOptions {
    readonly timeoutMs: number;
    readonly signal?: AbortSignal | undefined;
    /** @default 100 */
    readonly intervalMs?: number;
    readonly now?: () => number;
    readonly delay?: (durationMs: number, signal: AbortSignal | undefined) => Promise<unknown>;
}

/**
 * Looks again and again until `look` finds nothing missing any more.
 *
 * @param look Resolves with what is still missing; rejecting counts as a reason to look again.
 * @returns undefined, or what was missing when the time was up.
 */
export async function waitFor(
    look: () => Promise<string | undefined>,
    { timeoutMs, signal, intervalMs = 100, now = performance.now.bind(performance), delay = abortable }: WaitForOptions,
): Promise<string | undefined> {
    const deadline = now() + timeoutMs;
    for (;;) {
        signal?.throwIfAborted();
        const missing = await look().catch((error: unknown) =>
            error instanceof Error ? error.message : String(error),
        );
        if (missing === undefined || now() >= deadline) {
            return missing;
        }
        await delay(intervalMs, signal);
    }
}

function abortable(durationMs: number, signal: AbortSignal | undefined): Promise<unknown> {
    // The loop's start throws the signal's own reason.
    return sleep(durationMs, undefined, signal && { signal }).catch(() => undefined);
}
