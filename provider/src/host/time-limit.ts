/** Runs `work` with a signal that is aborted after the timeout and when `ended` is aborted. */
export async function withTimeLimit<T>(
    timeoutMs: number,
    createTimeoutError: () => Error,
    ended: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(createTimeoutError()), timeoutMs);
    try {
        return await work(AbortSignal.any([controller.signal, ended]));
    } finally {
        clearTimeout(timer);
    }
}
