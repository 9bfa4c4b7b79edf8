import { type Json, resolveReference } from "../openapi/document/references.js";
import { type ApiHost } from "../openapi/operation/operation-examples.js";
import { linkOf, sentence, shown } from "../openapi/schema/schema-notes.js";
import { type SchemaView } from "../openapi/schema/schema-view.js";
import { asRecord, listOf, textOf } from "../text/json-values.js";
import { type AsyncDocument } from "./async-document.js";

/** What the parts of a channel's page are written with. */
export interface AsyncView {
    readonly document: AsyncDocument;
    readonly schemas: SchemaView;
    readonly host: ApiHost;
}

/** The words that servers, channels, operations and messages have alike. */
export function wordsOf(node: Json, { host }: AsyncView): string {
    return [node["summary"], node["description"]]
        .flatMap((text) => textOf(text) ?? [])
        .map((text) => host.markdown(text))
        .join("");
}

/** The bindings, tags and further documentation that servers, channels, operations and messages have alike. */
export function furtherParts(node: Json, view: AsyncView): string {
    const { document } = view;
    const tags = listOf(node["tags"]).flatMap((tag) => textOf(resolveReference(document, tag)?.["name"]) ?? []);
    return [
        bindingsHtml(node["bindings"], view),
        sentence("Tags:", tags.length === 0 ? [] : [tags.join(", ")]),
        linkOf(resolveReference(document, node["externalDocs"])),
    ].join("");
}

/** What protocols add: values as they are, and schemas as fields. */
function bindingsHtml(given: unknown, { document, schemas }: AsyncView): string {
    const bindings = Object.entries(resolveReference(document, given) ?? {});
    return bindings
        .map(([protocol, value]) => {
            const entries = Object.entries(resolveReference(document, value) ?? {});
            const facts = entries.filter(([, each]) => !isSchema(each));
            const fields = entries
                .filter(([, each]) => isSchema(each))
                .map(([name, each]) => schemas.field(name, each, false, [`binding of ${protocol}`], []));
            const texts = facts.map(([name, each]) => `${name}: ${typeof each === "string" ? each : shown(each)}`);
            return sentence(`Binding of ${protocol}:`, texts) + fields.join("");
        })
        .join("");
}

const keysOfSchemas = ["type", "properties", "$ref", "enum", "oneOf", "anyOf", "allOf"];

function isSchema(value: unknown): boolean {
    return keysOfSchemas.some((key) => Object.hasOwn(asRecord(value), key));
}
