import { nameOfReference, resolveReference, type ApiDocument, type Json } from "../../read/api-document.js";
import { isRecord } from "../../read/config-file.js";
import { escapeHtml } from "../html-text.js";

/** A page shows so many fields, whatever its models hold. */
const mostFields = 1500;
const deepest = 10;

/** Writes schemas as nested fields. A model within itself is named instead of shown again. */
export class SchemaView {
    readonly #document: ApiDocument;
    readonly #markdown: (text: string) => string;
    #fields = 0;

    constructor(document: ApiDocument, markdown: (text: string) => string) {
        this.#document = document;
        this.#markdown = markdown;
    }

    /** The fields of an object, or of the items of a list; empty for plain values. */
    fieldsOf(given: unknown, around: readonly string[] = []): string {
        const name = nameOfReference(given);
        if (name !== undefined && around.includes(name)) {
            return `<p class="field-model">${escapeHtml(name)}, as above</p>`;
        }
        if (around.length >= deepest || this.#fields >= mostFields) {
            return "";
        }
        const inner = name === undefined ? around : [...around, name];
        const schema = resolveReference(this.#document, given);
        if (schema === undefined) {
            return "";
        }
        const items = schema["items"] === undefined ? "" : this.fieldsOf(schema["items"], inner);
        const parts = listOf(schema["allOf"]).map((part) => this.fieldsOf(part, inner));
        return parts.join("") + this.#properties(schema, inner) + items + this.#choices(schema, inner);
    }

    field(
        name: string,
        given: unknown,
        required: boolean,
        notes: readonly string[],
        around: readonly string[],
    ): string {
        this.#fields += 1;
        if (this.#fields > mostFields) {
            return "";
        }
        const schema = resolveReference(this.#document, given) ?? {};
        const flags = [
            this.typeOf(given),
            ...notes,
            required ? "required" : undefined,
            schema["deprecated"] === true ? "deprecated" : undefined,
            schema["readOnly"] === true ? "read only" : undefined,
            schema["default"] === undefined ? undefined : `default: ${JSON.stringify(schema["default"])}`,
        ];
        const shown = flags.filter((flag) => flag !== undefined).map((flag) => `<span>${escapeHtml(flag)}</span>`);
        const description = typeof schema["description"] === "string" ? this.#markdown(schema["description"]) : "";
        const values = listOf(schema["enum"]).slice(0, 100);
        const choices =
            values.length === 0
                ? ""
                : `<p class="field-values">One of ${values.map((value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`).join(", ")}</p>`;
        const children = this.fieldsOf(given, around);
        const below =
            children === ""
                ? ""
                : `<details class="accordion"><summary>Fields</summary><div>${children}</div></details>`;
        return `<div class="field"><p class="field-name"><code>${escapeHtml(name)}</code>${shown.join("")}</p>${description}${choices}${below}</div>`;
    }

    /** A schema's type in a few words, such as `string (date-time)` or `Pet[]`. */
    typeOf(given: unknown, depth = 0): string {
        const schema = resolveReference(this.#document, given);
        const name = nameOfReference(given);
        if (schema === undefined || depth > 4) {
            return name ?? "any";
        }
        const types = Array.isArray(schema["type"]) ? schema["type"].map(String) : [schema["type"]];
        const plain = types.filter((type): type is string => typeof type === "string");
        if (plain.includes("array")) {
            return `${this.typeOf(schema["items"], depth + 1)}[]`;
        }
        const nullable = schema["nullable"] === true ? ["null"] : [];
        if (name !== undefined && (plain.includes("object") || plain.length === 0)) {
            return [name, ...nullable].join(" | ");
        }
        const options = [...listOf(schema["oneOf"]), ...listOf(schema["anyOf"])];
        if (plain.length === 0 && options.length > 0) {
            return options
                .slice(0, 6)
                .map((option) => this.typeOf(option, depth + 1))
                .join(" | ");
        }
        const format = typeof schema["format"] === "string" ? ` (${schema["format"]})` : "";
        return [...(plain.length === 0 ? ["object"] : plain), ...nullable].join(" | ") + format;
    }

    #properties(schema: Json, around: readonly string[]): string {
        const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
        const required = new Set(listOf(schema["required"]));
        const fields = Object.entries(properties).map(([name, value]) =>
            this.field(name, value, required.has(name), [], around),
        );
        const others = schema["additionalProperties"];
        if (isRecord(others)) {
            fields.push(this.field("{key}", others, false, [], around));
        }
        return fields.join("");
    }

    #choices(schema: Json, around: readonly string[]): string {
        const options = [...listOf(schema["oneOf"]), ...listOf(schema["anyOf"])].slice(0, 30);
        return options
            .map((option, index) => {
                const fields = this.fieldsOf(option, around);
                const label = nameOfReference(option) ?? titleOf(option) ?? `Option ${index + 1}`;
                return fields === ""
                    ? ""
                    : `<details class="accordion"><summary>${escapeHtml(label)}</summary><div>${fields}</div></details>`;
            })
            .join("");
    }
}

function titleOf(value: unknown): string | undefined {
    const title = isRecord(value) ? value["title"] : undefined;
    return typeof title === "string" ? title : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
    return Array.isArray(value) ? value : [];
}
