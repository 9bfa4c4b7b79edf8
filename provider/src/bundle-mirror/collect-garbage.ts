import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * A minor collection takes a few milliseconds: one for each MiB took a third of a copy's processor time. One for each 4
 * MiB takes more memory over TLS, where small chunks leave more garbage, and saves no time.
 */
const collectEveryBytes = 2 * 1024 * 1024;

/**
 * Returns a function that a copy calls for each chunk that it reads, to free the memory of consumed chunks. V8 collects
 * garbage when its heap grows, but buffers live outside the heap: without this, more than 60 MB of unused chunks pile
 * up first. Starts with a full collection. Later full collections are left to V8, because each of ours would make it
 * start several of its own. If V8 does not expose its collector, memory is freed when V8 decides.
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
