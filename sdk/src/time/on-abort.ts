const callbacksBySignal = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back once when the signal is aborted. The returned function unregisters the callback. Uses a single listener
 * per signal, because Node warns about a leak from the eleventh on, and one signal may stop 200 calls.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
    if (signal === undefined) {
        return () => undefined;
    }
    let callbacks = callbacksBySignal.get(signal);
    if (callbacks === undefined) {
        const created = new Set<() => void>();
        callbacks = created;
        callbacksBySignal.set(signal, created);
        signal.addEventListener("abort", () => [...created].forEach((call) => call()), { once: true });
    }
    // A new function each time, so that a callback that is registered twice is called twice.
    const call = () => callback();
    callbacks.add(call);
    return () => callbacks.delete(call);
}
