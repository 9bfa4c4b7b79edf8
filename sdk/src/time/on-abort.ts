const callbacksBySignal = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back once when the signal is aborted. The returned function unregisters the callback. Uses a single listener
 * per signal, because Node warns about a leak from the eleventh listener on, and one signal may stop 200 calls.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
    if (signal === undefined) {
        return () => undefined;
    }
    const callbacks = callbacksBySignal.get(signal) ?? listen(signal);
    // A new function each time, so that a callback that is registered twice is called twice.
    const call = () => callback();
    callbacks.add(call);
    return () => callbacks.delete(call);
}

/**
 * A separate function, so that the scope of the listener does not contain the callback: that scope exists until the
 * signal is freed.
 */
function listen(signal: AbortSignal): Set<() => void> {
    const callbacks = new Set<() => void>();
    callbacksBySignal.set(signal, callbacks);
    signal.addEventListener("abort", () => [...callbacks].forEach((call) => call()), { once: true });
    return callbacks;
}
