import { isDeepStrictEqual } from "node:util";
import { markKey, marks } from "./property-marks.js";

const fileMarks: ReadonlySet<unknown> = new Set([marks.asset, marks.archive]);

/**
 * Reduces assets and archives, at any depth, to their kind and digest. The engine sends a new asset with its path or
 * text, but an asset from the state only with its digest, so only the digest can be compared or become part of a key.
 */
export function digestAssets(value: unknown): unknown {
    if (Array.isArray(value)) {
        return value.map(digestAssets);
    }
    if (typeof value !== "object" || value === null) {
        return value;
    }
    const { [markKey]: mark, hash } = value as Record<string, unknown>;
    return fileMarks.has(mark) && typeof hash === "string" && hash !== ""
        ? { [markKey]: mark, hash }
        : Object.fromEntries(Object.entries(value).map(([name, field]) => [name, digestAssets(field)]));
}

/** Compares two inputs; assets and archives by their content. */
export function isSameValue(a: unknown, b: unknown): boolean {
    return isDeepStrictEqual(digestAssets(a), digestAssets(b));
}
