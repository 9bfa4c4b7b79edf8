import { escapeHtml } from "../../text/html-text.js";
import { asRecord } from "../../text/json-values.js";
import { type HasRoot, nameOfReference, resolveReference } from "../documents/references.js";
import { plainText } from "./parameter-styles.js";

/** Writes an example as XML, with the names that its schema has for elements and attributes. */
export function xmlOf(document: HasRoot, schema: unknown, value: unknown, around?: string): string {
    const node = resolveReference(document, schema) ?? {};
    const { name: own, wrapped } = asRecord(node["xml"]);
    const name = plainText(own ?? around ?? nameOfReference(schema) ?? "root");
    if (Array.isArray(value)) {
        const itemName = wrapped === true || around === undefined ? undefined : name;
        const items = value.map((item) => xmlOf(document, node["items"], item, itemName ?? around ?? "item")).join("");
        return itemName === undefined ? `<${name}>${items}</${name}>` : items;
    }
    let attributes = "";
    let content = "";
    if (typeof value === "object" && value !== null) {
        for (const [key, item] of Object.entries(value)) {
            const property = asRecord(node["properties"])[key];
            const { attribute, name: label = key } = asRecord(resolveReference(document, property)?.["xml"]);
            if (attribute === true) {
                attributes += ` ${plainText(label)}="${escapeHtml(plainText(item))}"`;
            } else {
                content += xmlOf(document, property, item, key);
            }
        }
    } else {
        content = escapeHtml(plainText(value));
    }
    return `<${name}${attributes}>${content}</${name}>`;
}
