const callbacksBySignal = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back once when the signal is aborted, until the returned function is called. However many wait for one signal,
 * it gets a single listener: Node warns of a leak from the eleventh on, and one signal may well stop 200 calls.
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
    // Its own function, so that one callback given twice counts twice.
    const call = () => callback();
    callbacks.add(call);
    return () => callbacks.delete(call);
}
