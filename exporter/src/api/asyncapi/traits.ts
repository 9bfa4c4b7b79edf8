import { type Json, resolveReference } from "../documents/references.js";
import { asRecord, isRecord, listOf } from "../../text/json-values.js";
import { type AsyncDocument } from "./async-document.js";

/** Aliases of YAML can make a value circular. */
const maxDepth = 30;

/** An operation or a message with what its traits say. In version 2 they come before its own values, in version 3 after. */
export function withTraits(document: AsyncDocument, node: Json): Json {
    const traits = listOf(node["traits"]).flatMap((trait): Json[] => {
        const target = resolveReference(document, trait);
        return target === undefined ? [] : [target];
    });
    if (traits.length === 0) {
        return node;
    }
    const own = followed(document, node);
    const others = traits.map((trait) => followed(document, trait));
    const parts = document.version === 2 ? [own, ...others] : [...others, own];
    return parts.reduce<Json>((merged, part) => mergePatch(merged, part), {});
}

/** A reference beside values of another part would be a mixture of both. */
function followed(document: AsyncDocument, node: Json): Json {
    return Object.fromEntries(
        Object.entries(node).map(([key, value]) => [key, resolveReference(document, value) ?? value]),
    );
}

/** JSON Merge Patch (RFC 7396). */
function mergePatch(target: Json, patch: Json, depth = 0): Json {
    const merged = new Map(Object.entries(target));
    for (const [key, value] of Object.entries(patch)) {
        if (value === null) {
            merged.delete(key);
        } else {
            const isMerged = isRecord(value) && depth < maxDepth;
            merged.set(key, isMerged ? mergePatch(asRecord(merged.get(key)), value, depth + 1) : value);
        }
    }
    return Object.fromEntries(merged);
}
