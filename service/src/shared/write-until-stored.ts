import { setTimeout as delay } from "node:timers/promises";

interface WriteUntilStoredOptions {
    /** Aborts further attempts; the next process resumes from the stored state. */
    signal: AbortSignal;
    /** @param isFirst - whether no write before this one failed */
    onError: (error: unknown, isFirst: boolean) => void;
    /** Whether the same write may succeed later. @default always */
    isTemporary?: (error: unknown) => boolean;
    /** The first backoff; it doubles, up to thirty times this value. @default 1000 */
    retryMs?: number | undefined;
}

const maxRetryFactor = 30;

/** Writes, and tries again while the reason is temporary. @throws the error of `write` otherwise */
export async function writeUntilStored(
    write: () => void | Promise<void>,
    { signal, onError, isTemporary = () => true, retryMs = 1000 }: WriteUntilStoredOptions,
): Promise<void> {
    let isFirst = true;
    for (let factor = 1; ; factor = Math.min(2 * factor, maxRetryFactor)) {
        try {
            await write();
            return;
        } catch (error) {
            if (!isTemporary(error)) {
                throw error;
            }
            onError(error, isFirst);
            isFirst = false;
        }
        try {
            await delay(factor * retryMs, undefined, { signal });
        } catch {
            return;
        }
    }
}
