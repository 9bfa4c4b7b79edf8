import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** A collection of young garbage takes about a millisecond. */
const youngEveryBytes = 1024 * 1024;
/** What was in use during those, a chunk or two each time, is taken for old. To collect that takes about 50 ms. */
const allEveryBytes = 320 * youngEveryBytes;

/**
 * Passes the chunks of a stream on, and frees those that have passed. V8 collects when its heap has grown, but chunks
 * are outside of it: left alone, more than 60 MB of them that nobody needs pile up first. Begins with what was loaded
 * and copied before. Where V8 does not hand out its collector, nothing is freed early.
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
