import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * A minor collection takes some milliseconds: with one for each MiB, they took a third of a copy's processor time. Over
 * TLS, chunks are small and leave more garbage: one for each 4 MiB takes more memory there, and no less time.
 */
const collectEveryBytes = 2 * 1024 * 1024;

/**
 * Returns what a copy calls for each chunk that it has read, to free the memory of those that were consumed. V8 collects
 * garbage when its heap grows, but buffers live outside the heap: without this, more than 60 MB of unused chunks pile up
 * first. Starts with a full collection. Later ones are left to V8: after each of ours, it would start several of its own.
 * If V8 does not expose its collector, memory is freed when V8 decides.
 */
export function createGarbageCollector(): (readBytes: number) => void {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("globalThis.gc") as ((options?: { type: "minor" }) => void) | undefined;
    collect?.();
    let uncollectedBytes = 0;
    return (readBytes) => {
        uncollectedBytes += readBytes;
        if (uncollectedBytes >= collectEveryBytes) {
            collect?.({ type: "minor" });
            uncollectedBytes = 0;
        }
    };
}
