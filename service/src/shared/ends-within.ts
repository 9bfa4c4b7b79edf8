import { setTimeout as delay } from "node:timers/promises";

/** Waits for a promise, but not longer than this. @returns whether it has resolved */
export async function endsWithin(ended: Promise<unknown>, ms: number): Promise<boolean> {
    const patience = new AbortController();
    try {
        return await Promise.race([ended.then(() => true), delay(ms, false, { signal: patience.signal })]);
    } finally {
        patience.abort();
    }
}
