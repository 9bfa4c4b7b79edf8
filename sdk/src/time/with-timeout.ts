import { type Clock, startRealTimer } from "./clock.js";
import { onAbort } from "./on-abort.js";

/**
 * Runs `work` with a signal that is aborted when the caller's signal is aborted (rejects with its reason), after
 * `timeoutMs` (rejects with `createError()`), and when `work` fails, so that no part of `work` continues in the
 * background. `restart` restarts the timeout.
 */
export async function withTimeout<T>(
    timeoutMs: number,
    signal: AbortSignal | undefined,
    createError: () => Error,
    work: (signal: AbortSignal, restart: () => void) => Promise<T>,
    clock: Pick<Clock, "startTimer"> = {},
): Promise<T> {
    signal?.throwIfAborted();
    const controller = new AbortController();
    const stopped = new Promise<never>((_, reject) => {
        controller.signal.addEventListener("abort", () => reject(controller.signal.reason as Error), { once: true });
    });
    const forget = onAbort(signal, () => controller.abort(signal?.reason));
    const expire = () => controller.abort(createError());
    const timer = clock.startTimer?.(timeoutMs, expire) ?? startRealTimer(timeoutMs, expire);
    try {
        return await Promise.race([work(controller.signal, () => timer.restart()), stopped]);
    } catch (error) {
        controller.abort(error);
        throw error;
    } finally {
        timer.stop();
        forget();
    }
}
