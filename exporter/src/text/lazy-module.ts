import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** A library that is loaded on first use: loading all libraries takes half the time of an export without changes. */
export function lazyModule<T>(name: string): () => T {
    let loaded: T | undefined;
    return () => (loaded ??= require(name) as T);
}
