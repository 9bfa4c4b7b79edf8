import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/**
 * A library that is loaded when it is first needed: loading all of them takes half of an export that changes nothing.
 */
export function lazyModule<T>(name: string): () => T {
    let loaded: T | undefined;
    return () => (loaded ??= require(name) as T);
}
