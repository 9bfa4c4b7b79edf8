import type { RunContext } from "./run-context.js";

const defaultTimeoutSeconds = 3600;

/** Returns how long one run of a resource may take. */
export function timeoutMsOf({ timeoutSeconds }: RunContext, inputs: { timeoutSeconds?: number }): number {
    return (timeoutSeconds ?? inputs.timeoutSeconds ?? defaultTimeoutSeconds) * 1000;
}

/**
 * Runs `work` with a signal that is aborted after the timeout and when `ended` is aborted. `AbortSignal.any` is not
 * used, because Node never frees its signals while they have listeners: the buffers of each copy of a mirror would stay
 * in memory.
 */
export async function withTimeLimit<T>(
    timeoutMs: number,
    createTimeoutError: () => Error,
    ended: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(createTimeoutError()), timeoutMs);
    const end = () => controller.abort(ended.reason);
    ended.addEventListener("abort", end);
    try {
        ended.throwIfAborted();
        return await work(controller.signal);
    } finally {
        clearTimeout(timer);
        ended.removeEventListener("abort", end);
    }
}
