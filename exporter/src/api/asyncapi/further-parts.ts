import { entriesOf, type Json, resolveReference } from "../documents/references.js";
import { linkOf, sentence, shown } from "../parts/schema-notes.js";
import { type SchemaView } from "../parts/schema-fields.js";
import { asRecord, listOf, textOf } from "../../text/json-values.js";

/** The bindings, tags and external documentation of servers, channels, operations and messages. */
export function furtherParts(node: Json, view: SchemaView): string {
    const { document } = view;
    const tags = listOf(node["tags"]).flatMap((tag) => textOf(resolveReference(document, tag)?.["name"]) ?? []);
    return [
        bindingsHtml(node["bindings"], view),
        sentence("Tags:", tags.length === 0 ? [] : [tags.join(", ")]),
        linkOf(resolveReference(document, node["externalDocs"])),
    ].join("");
}

/** Shows the bindings of protocols: plain values unchanged, and schemas as fields. */
function bindingsHtml(given: unknown, view: SchemaView): string {
    return entriesOf(view.document, resolveReference(view.document, given))
        .map(([protocol, binding]) => {
            const entries = Object.entries(binding);
            const facts = entries.filter(([, each]) => !isSchema(each));
            const fields = entries
                .filter(([, each]) => isSchema(each))
                .map(([name, each]) => view.field(name, each, false, [`binding of ${protocol}`]));
            const texts = facts.map(([name, each]) => `${name}: ${typeof each === "string" ? each : shown(each)}`);
            return sentence(`Binding of ${protocol}:`, texts) + fields.join("");
        })
        .join("");
}

const keysOfSchemas = ["type", "properties", "$ref", "enum", "oneOf", "anyOf", "allOf"];

function isSchema(value: unknown): boolean {
    return keysOfSchemas.some((key) => Object.hasOwn(asRecord(value), key));
}
