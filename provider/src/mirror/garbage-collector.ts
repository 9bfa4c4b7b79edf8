import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects what was made lately, in about a millisecond, or everything, in about fifty. */
export type GarbageCollector = (generation: "young" | "all") => void;

/**
 * Gives the means to free what a stream has passed through memory. V8 collects when its heap has grown, but the chunks
 * of a stream are outside of it: left alone, more than 60 MB of chunks that nobody needs pile up first. Where V8 does
 * not hand out its collector, nothing is done.
 */
export function createGarbageCollector(): GarbageCollector {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("globalThis.gc") as ((options?: { type: "minor" }) => void) | undefined;
    return (generation) => (generation === "all" ? collect?.() : collect?.({ type: "minor" }));
}
