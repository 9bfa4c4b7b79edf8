import { longestTimerMs } from "./clock.js";
import { onAbort } from "./on-abort.js";

/**
 * Runs `work` with a signal that is aborted by the caller's signal (rejecting with its reason), after `timeoutMs`
 * (rejecting with `createError()`), and when `work` fails, so that none of it continues in the background. `restart`
 * restarts the timeout. Uses real time even if a clock is injected, because sockets do.
 */
export async function withTimeout<T>(
    timeoutMs: number,
    signal: AbortSignal | undefined,
    createError: () => Error,
    work: (signal: AbortSignal, restart: () => void) => Promise<T>,
): Promise<T> {
    signal?.throwIfAborted();
    const controller = new AbortController();
    const stopped = new Promise<never>((_, reject) => {
        controller.signal.addEventListener("abort", () => reject(controller.signal.reason as Error), { once: true });
    });
    const forget = onAbort(signal, () => controller.abort(signal?.reason));
    const timer = setTimeout(() => controller.abort(createError()), Math.min(Math.max(timeoutMs, 0), longestTimerMs));
    try {
        return await Promise.race([work(controller.signal, () => timer.refresh()), stopped]);
    } catch (error) {
        controller.abort(error);
        throw error;
    } finally {
        clearTimeout(timer);
        forget();
    }
}
