/** Waits for a promise that never rejects. @throws the signal's reason */
export async function untilAborted(wait: Promise<unknown>, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal.reason);
    signal.addEventListener("abort", abort);
    try {
        await Promise.race([wait, aborted.promise]);
    } finally {
        signal.removeEventListener("abort", abort);
    }
}
