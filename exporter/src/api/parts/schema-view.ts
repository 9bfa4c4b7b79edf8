import { type ApiHost } from "./api-host.js";
import { accordion } from "../../html/accordion.js";
import { escapeHtml } from "../../text/html-text.js";
import { asRecord, isRecord, listOf } from "../../text/json-values.js";
import { entriesOf, type HasRoot, type Json, nameOfReference, resolveReference } from "../documents/references.js";
import { labelsHtml, limitsOf, nameLine, notesOf, sentence } from "./schema-notes.js";

/** A page shows so many fields, whatever its models hold. */
const maxFields = 1500;
const maxDepth = 10;
const maxOptions = 30;

/**
 * Writes a page's parts of a document: schemas as nested fields. A model within itself is named instead of shown again.
 */
export class SchemaView {
    #fields = 0;

    constructor(
        readonly document: HasRoot,
        readonly host: ApiHost,
    ) {}

    /** A text of the document, such as a description; empty for anything else. */
    textHtml(text: unknown, minLevel?: number): string {
        return typeof text === "string" ? this.host.markdown(text, minLevel) : "";
    }

    /** The words that operations, channels, servers and messages have alike. */
    wordsOf({ summary, description }: Json, minLevel?: number): string {
        return this.textHtml(summary, minLevel) + this.textHtml(description, minLevel);
    }

    /** The variables in the address of a server. */
    variablesOf(server: Json): string {
        const variables = entriesOf(this.document, server["variables"]);
        return variables.map(([name, variable]) => this.field(name, { type: "string", ...variable })).join("");
    }

    /** The fields of an object, or of the items of a list; empty for plain values. */
    fieldsOf(given: unknown, around: readonly string[] = []): string {
        const name = nameOfReference(given);
        if (name !== undefined && around.includes(name)) {
            return `<p class="field-model">${escapeHtml(name)}, as above</p>`;
        }
        if (around.length >= maxDepth || this.#fields >= maxFields) {
            return "";
        }
        const inner = name === undefined ? around : [...around, name];
        const schema = resolveReference(this.document, given);
        if (schema === undefined) {
            return "";
        }
        const items = schema["items"] === undefined ? "" : this.fieldsOf(schema["items"], inner);
        const parts = listOf(schema["allOf"]).map((part) => this.fieldsOf(part, inner));
        return parts.join("") + this.#properties(schema, inner) + items + this.#choices(schema, inner);
    }

    /** The limits, values and rules of a body as a whole; its examples are code of their own. */
    rulesOf(given: unknown): string {
        const schema = resolveReference(this.document, given) ?? {};
        return sentence("", limitsOf(schema)) + notesOf(this.document, schema, { hasExamples: false });
    }

    /** A model with its description, and its type where it has no fields. */
    described(given: unknown): string {
        const schema = resolveReference(this.document, given) ?? {};
        const description = this.textHtml(schema["description"]);
        const fields = this.fieldsOf(given);
        const labels = [...(fields === "" ? [this.typeOf(schema)] : []), ...limitsOf(schema)];
        const kind = labelsHtml(labels);
        const head = kind === "" ? "" : `<p class="field-name">${kind}</p>`;
        return description + head + notesOf(this.document, schema) + fields;
    }

    field(
        name: string,
        given: unknown,
        required = false,
        notes: readonly string[] = [],
        around: readonly string[] = [],
    ): string {
        this.#fields += 1;
        if (this.#fields > maxFields) {
            return "";
        }
        const schema = resolveReference(this.document, given) ?? {};
        const flags = [
            this.typeOf(given),
            ...notes,
            required ? "required" : undefined,
            schema["deprecated"] === true ? "deprecated" : undefined,
            schema["readOnly"] === true ? "read only" : undefined,
            ...(this.host.display.labelKeys ?? []).flatMap((key) => labelsOf(key, schema[key])),
            ...labelsOfMint(schema, "post"),
            schema["default"] === undefined ? undefined : `default: ${JSON.stringify(schema["default"])}`,
            ...limitsOf(schema),
        ];
        const description = this.textHtml(schema["description"]);
        const rules = notesOf(this.document, schema);
        const children = this.fieldsOf(given, around);
        const below = children === "" ? "" : accordion("Fields", children, this.host.display.isExpanded === true);
        return `<div class="field">${nameLine(name, flags, labelsOfMint(schema, "pre"))}${description}${rules}${below}</div>`;
    }

    /** A schema's type in a few words, such as `string (date-time)` or `Pet[]`. */
    typeOf(given: unknown, depth = 0): string {
        const schema = resolveReference(this.document, given);
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
        const properties = asRecord(schema["properties"]);
        const required = new Set(listOf(schema["required"]));
        const fields = Object.entries(properties).map(([name, value]) =>
            this.field(name, value, required.has(name), [], around),
        );
        const patterns = asRecord(schema["patternProperties"]);
        const others: (readonly [name: string, value: unknown])[] = [
            ...Object.entries(patterns).map(([pattern, value]) => [`/${pattern}/`, value] as const),
            ["{key}", schema["additionalProperties"]],
            ["{other key}", schema["unevaluatedProperties"]],
            ["{name of a key}", schema["propertyNames"]],
            // Draft 7 of JSON Schema, which AsyncAPI has, knows lists of items.
            ...[...listOf(schema["prefixItems"]), ...listOf(schema["items"])].map(
                (value, at) => [`[${at}]`, value] as const,
            ),
            ["[any item]", schema["contains"]],
            ["[other items]", schema["additionalItems"]],
            ["[other items]", schema["unevaluatedItems"]],
        ];
        for (const [name, value] of others.filter(([, value]) => isRecord(value))) {
            fields.push(this.field(name, value, false, [], around));
        }
        return fields.join("");
    }

    #choices(schema: Json, around: readonly string[]): string {
        const options = [...listOf(schema["oneOf"]), ...listOf(schema["anyOf"])].slice(0, maxOptions);
        const named = options.map(
            (option, index) => [nameOfReference(option) ?? titleOf(option) ?? `Option ${index + 1}`, option] as const,
        );
        const dependent = Object.entries({
            ...asRecord(schema["dependencies"]),
            ...asRecord(schema["dependentSchemas"]),
        });
        const conditions: (readonly [label: string, value: unknown])[] = [
            ["Not", schema["not"]],
            ["If", schema["if"]],
            ["Then", schema["then"]],
            ["Else", schema["else"]],
            ...dependent.map(([name, value]) => [`With ${name}`, value] as const),
        ];
        return [...named, ...conditions]
            .filter(([, option]) => isRecord(option))
            .map(([label, option]) => this.#option(label, option, around))
            .join("");
    }

    /** Nothing for one that says no more than the type, which is next to the field's name. */
    #option(label: string, given: unknown, around: readonly string[]): string {
        const schema = resolveReference(this.document, given) ?? {};
        const content = [
            this.textHtml(schema["description"]),
            sentence(this.typeOf(schema), limitsOf(schema)),
            notesOf(this.document, schema),
            this.fieldsOf(given, around),
        ].join("");
        return content === "" ? "" : accordion(escapeHtml(label), content);
    }
}

/** Labels that `x-mint` has for a field. */
function labelsOfMint(schema: Json, key: "pre" | "post"): string[] {
    const mint = schema["x-mint"];
    return isRecord(mint) ? listOf(mint[key]).filter((label) => typeof label === "string") : [];
}

/** What a key of a schema says as labels: its text, its number, each of a list, or its name where it is true. */
function labelsOf(key: string, value: unknown): string[] {
    if (Array.isArray(value)) {
        return value.flatMap((item) =>
            typeof item === "string" || typeof item === "number" ? labelsOf(key, item) : [],
        );
    }
    const isShown = (typeof value === "string" && value !== "") || typeof value === "number";
    return isShown ? [String(value)] : value === true ? [key] : [];
}

function titleOf(value: unknown): string | undefined {
    const title = isRecord(value) ? value["title"] : undefined;
    return typeof title === "string" ? title : undefined;
}
