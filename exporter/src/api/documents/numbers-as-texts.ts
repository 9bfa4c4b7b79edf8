import type * as Yaml from "yaml";
import { plainText } from "../../text/json-text.js";
import { listOf } from "../../text/json-values.js";
import { lazyModule } from "../../text/lazy-module.js";

const library = lazyModule<typeof Yaml>("yaml");

const keysOfValues = ["const", "default", "example", "enum", "examples"];

/**
 * Makes a number of YAML the text that it was written as, where its schema is of strings: YAML reads the version `1.10`
 * as 1.1.
 */
export function keepTexts(map: Yaml.YAMLMap): void {
    const { isMap, isScalar, isSeq } = library();
    const schema = map.get("schema");
    if (!isOfStrings(map) && !(isMap(schema) && isOfStrings(schema))) {
        return;
    }
    for (const key of keysOfValues) {
        const value = map.get(key, true);
        for (const node of isSeq(value) ? value.items : [value]) {
            if (isScalar(node) && typeof node.value === "number" && node.source !== undefined) {
                node.value = String(node.value) === node.source ? node.value : node.source;
            }
        }
    }
}

function isOfStrings(map: Yaml.YAMLMap): boolean {
    const type = map.get("type");
    const types = listOf(library().isSeq(type) ? type.toJSON() : [type]);
    return types.includes("string") && !types.some((each) => each === "number" || each === "integer");
}

const keysOfTexts = ["summary", "description", "title", "name", "operationId"];

/** Makes the texts of an object in a document texts, also if they are written as numbers: `summary: 404`. */
export function makeTexts(node: Record<string, unknown>): void {
    for (const key of keysOfTexts.filter((each) => isPlain(node[each]))) {
        node[key] = plainText(node[key]);
    }
    const { tags } = node;
    if (Array.isArray(tags)) {
        node["tags"] = tags.map((tag: unknown) => (isPlain(tag) ? plainText(tag) : tag));
    }
}

/** A value that YAML reads from a text without quotes. */
function isPlain(value: unknown): boolean {
    return ["number", "bigint", "boolean"].includes(typeof value);
}
