import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** A minor collection takes some milliseconds: with one for each MiB, they took a third of a copy's processor time. */
const youngEveryBytes = 4 * 1024 * 1024;
/**
 * Each minor collection promotes a chunk or two that are in use. Freeing those takes a full collection: about 50 ms.
 */
const allEveryBytes = 80 * youngEveryBytes;

/**
 * Passes on the chunks of a stream and frees the memory of those that were consumed. V8 collects garbage when its heap
 * grows, but buffers live outside the heap: without this, more than 60 MB of unused chunks pile up first. Starts with a
 * full collection. If V8 does not expose its collector, memory is freed when V8 decides.
 */
export async function* collectingGarbage(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("globalThis.gc") as ((options?: { type: "minor" }) => void) | undefined;
    collect?.();
    let [young, all] = [0, 0];
    for await (const chunk of chunks) {
        young += chunk.length;
        all += chunk.length;
        if (all >= allEveryBytes) {
            collect?.();
            [young, all] = [0, 0];
        } else if (young >= youngEveryBytes) {
            collect?.({ type: "minor" });
            young = 0;
        }
        yield chunk;
    }
}
