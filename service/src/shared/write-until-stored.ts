import { setTimeout as delay } from "node:timers/promises";

interface WriteUntilStoredOptions {
    /** Aborts further attempts; the next process resumes from the stored state. */
    signal: AbortSignal;
    onError: (error: unknown) => void;
    /** The first backoff; it doubles, up to thirty times this value. @default 1000 */
    retryMs?: number | undefined;
}

const maxRetryFactor = 30;

/** Stores the outcome of a run, and tries again while the disk is full. Never rejects. */
export async function writeUntilStored(
    write: () => void | Promise<void>,
    { signal, onError, retryMs = 1000 }: WriteUntilStoredOptions,
): Promise<void> {
    for (let factor = 1; ; factor = Math.min(2 * factor, maxRetryFactor)) {
        try {
            await write();
            return;
        } catch (error) {
            onError(error);
        }
        try {
            await delay(factor * retryMs, undefined, { signal });
        } catch {
            return;
        }
    }
}
