import { escapeHtml } from "../../text/html-text.js";
import { asRecord, isRecord } from "../../text/json-values.js";
import { type Json, nameOfReference } from "../documents/references.js";
import { sentence } from "../parts/schema-notes.js";
import { type SchemaView } from "../parts/schema-view.js";

const maxTypes = 10;

/** A body of a request or an answer: its description, and the fields of each of its types. */
export function bodyHtml({ content, required, description }: Json, view: SchemaView): string {
    const isRequired = required === true ? " <span>required</span>" : "";
    const [first, ...others] = bySchema(asRecord(content)).map(({ types, schema, media }) => {
        const fields = view.rulesOf(schema) + view.fieldsOf(schema) + encodingHtml(media);
        const names = types.map((type) => `<code>${escapeHtml(type)}</code>`).join(" ");
        const kind = fields === "" && schema !== undefined ? ` <span>${escapeHtml(view.typeOf(schema))}</span>` : "";
        return { head: `<p class="field-name">${names}${kind}${isRequired}</p>`, fields };
    });
    return [
        first?.head,
        view.textHtml(description),
        first?.fields,
        ...others.map(({ head, fields }) => head + fields),
    ].join("");
}

/** The types of a body, those that have the same model together. */
function bySchema(content: Json): { types: string[]; schema: unknown; media: unknown }[] {
    const groups: { types: string[]; schema: unknown; media: unknown }[] = [];
    for (const [type, media] of Object.entries(content).slice(0, maxTypes)) {
        const schema = isRecord(media) ? media["schema"] : undefined;
        const name = nameOfReference(schema);
        const same = groups.find((group) => name !== undefined && nameOfReference(group.schema) === name);
        if (same === undefined) {
            groups.push({ types: [type], schema, media });
        } else {
            same.types.push(type);
        }
    }
    return groups;
}

/** How the parts of a form are sent. */
function encodingHtml(media: unknown): string {
    return Object.entries(asRecord(asRecord(media)["encoding"]))
        .map(([name, given]) => {
            const { headers, ...others } = asRecord(given);
            const facts = Object.entries(others).map(([key, value]) => `${key}: ${String(value)}`);
            const named = Object.keys(asRecord(headers)).map((header) => `header ${header}`);
            return sentence(`${name} is sent with`, [...facts, ...named]);
        })
        .join("");
}
