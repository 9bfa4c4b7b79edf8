import { escapeHtml } from "../../text/html-text.js";
import { plainText } from "../../text/json-text.js";
import { asRecord } from "../../text/json-values.js";
import { type HasRoot, type Json, nameOfReference } from "../documents/references.js";
import { mergedSchema } from "../parts/merged-schema.js";

/** Writes an example as XML, with the names that its schema has for elements and attributes. */
export function xmlOf(document: HasRoot, schema: unknown, value: unknown, around?: string): string {
    const node = mergedSchema(document, schema).schema;
    const xml = asRecord(node["xml"]);
    const name = nameOf(xml, around ?? nameOfReference(schema) ?? "root");
    let attributes = spaceOf(xml);
    let content = "";
    if (Array.isArray(value)) {
        const isWrapped = xml["wrapped"] === true || around === undefined;
        const nameOfItems = isWrapped ? (around ?? "item") : name;
        content = value.map((item) => xmlOf(document, node["items"], item, nameOfItems)).join("");
        return isWrapped ? `<${name}${attributes}>${content}</${name}>` : content;
    }
    if (typeof value === "object" && value !== null) {
        for (const [key, item] of Object.entries(value)) {
            const property = asRecord(node["properties"])[key];
            const own = asRecord(mergedSchema(document, property).schema["xml"]);
            if (own["attribute"] === true || own["nodeType"] === "attribute") {
                attributes += `${spaceOf(own)} ${nameOf(own, key)}="${escapeHtml(plainText(item))}"`;
            } else {
                content += xmlOf(document, property, item, key);
            }
        }
    } else {
        content = escapeHtml(plainText(value));
    }
    return `<${name}${attributes}>${content}</${name}>`;
}

function nameOf({ name, prefix }: Json, otherwise: string): string {
    return (typeof prefix === "string" ? `${prefix}:` : "") + plainText(name ?? otherwise);
}

/** The declaration of a namespace. */
function spaceOf({ namespace, prefix }: Json): string {
    const name = typeof prefix === "string" ? `xmlns:${prefix}` : "xmlns";
    return typeof namespace === "string" ? ` ${name}="${escapeHtml(namespace)}"` : "";
}
