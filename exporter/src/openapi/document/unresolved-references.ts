import { type Json, targetOf } from "./references.js";

/** Within them, `$ref` is a field of the API's data. */
const data = new Set(["example", "examples", "value", "default", "const", "enum"]);

/** The references of a document that have no target in it, each once. */
export function unresolvedReferences(root: Json): string[] {
    const lost = new Set<string>();
    const nodes = new Set<object>([root]);
    for (const node of nodes) {
        for (const [key, value] of Object.entries(node)) {
            if (key === "$ref" && typeof value === "string" && targetOf(root, value) === undefined) {
                lost.add(value);
            } else if (typeof value === "object" && value !== null && !data.has(key)) {
                nodes.add(value as object);
            }
        }
    }
    return [...lost];
}
