import type * as Yaml from "yaml";
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
