import { type ApiContext, firstOf } from "./api-context.js";
import { accordion } from "../../html/accordion.js";
import { escapeHtml } from "../../text/html-text.js";
import { asRecord, isRecord, listOf } from "../../text/json-values.js";
import { lettersOf } from "../../text/strings.js";
import { entriesOf, type HasRoot, type Json, nameOfReference } from "../documents/references.js";
import { DeferredParts } from "./deferred-parts.js";
import { defaultOf, labelsHtml, limitsOf, nameLine, notesOf, sentence } from "./schema-notes.js";
import {
    choicesOf,
    conditionsOf,
    labelsOfMint,
    maxOptions,
    propertiesOf,
    typeOfKeywords,
    variantsOf,
} from "./schema-parts.js";
import { childrenOf, type MergedSchema, mergedSchema } from "./merged-schema.js";

/** The size limit for the first level of each body, which only a hostile document reaches. */
const maxCharactersOfTop = 4_000_000;
const maxCharactersOfField = 250;
const maxDepth = 10;
const maxLists = 4;
/** The limit for the named variants of a nested type. */
const maxInnerTypes = 6;
/**
 * A separate limit for schemas without fields, which add no characters but could still refer to each other too often.
 */
const maxSteps = 100_000;

/**
 * Writes the parts of a document on a page: schemas as nested fields, breadth first, so that all fields of the first
 * level are shown. A model that is nested in itself is only named there, not shown again.
 */
export class SchemaView {
    #characters = 0;
    #steps = 0;
    readonly #later = new DeferredParts();

    constructor(
        readonly document: HasRoot,
        readonly context: ApiContext,
    ) {}

    /** A string in the document, such as a description, as HTML; empty for anything else. */
    textHtml(text: unknown, minLevel?: number): string {
        return typeof text === "string" ? this.context.markdown(text, minLevel) : "";
    }

    /** The interface's words for operations, channels, servers and messages. */
    wordsOf({ summary, description }: Json, minLevel?: number): string {
        return this.textHtml(summary, minLevel) + this.textHtml(description, minLevel);
    }

    /** The variables in a server's address. */
    variablesOf(server: Json): string {
        const variables = entriesOf(this.document, server["variables"]);
        return variables.map(([name, variable]) => this.field(name, { type: "string", ...variable })).join("");
    }

    /** The first level of an object's fields, or of the items of a list; empty for plain values. */
    fieldsOf(given: unknown): string {
        return this.#levelOf(given, [], true);
    }

    /** Adds deeper levels of fields to the page's HTML until the size limit. */
    complete(html: string): string {
        return this.#later.complete(html);
    }

    /** The first items of a list, and how many others are only in the document. */
    first<T>(items: readonly T[], max: number, what: string, write: (item: T) => string): string {
        const written = firstOf(items, max, what, this.context.warn).map(write);
        const more = items.length - written.length;
        return written.join("") + sentence("", more > 0 ? [`The document has ${more} more ${what}`] : []);
    }

    /** The text, limits, values and rules of a whole body; its examples are shown separately. */
    rulesOf(given: unknown): string {
        const { schema } = mergedSchema(this.document, given);
        const rules = sentence("", [...defaultOf(schema), ...limitsOf(schema)]);
        return this.#textsOf(given, "") + rules + notesOf(this.document, schema, { hasExamples: false });
    }

    /** A model with its description, or with its type if it has no fields. */
    described(given: unknown): string {
        const { schema } = mergedSchema(this.document, given);
        const description = this.#textsOf(given, "");
        const fields = this.fieldsOf(given);
        const type = this.typeOf(schema);
        const isShown = fields === "" || type.includes("[]");
        const labels = [...(isShown ? [type] : []), ...defaultOf(schema), ...limitsOf(schema)];
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
        const { schema } = mergedSchema(this.document, given);
        const flags = [
            this.typeOf(given),
            ...notes,
            required ? "required" : undefined,
            schema["deprecated"] === true ? "deprecated" : undefined,
            schema["readOnly"] === true ? "read only" : undefined,
            ...labelsOfMint(schema, "post"),
            ...defaultOf(schema),
            ...limitsOf(schema),
        ];
        const line = nameLine(name, flags, labelsOfMint(schema, "pre"));
        const rules = notesOf(this.document, schema);
        const texts = this.#textsOf(given, name);
        this.#weigh(line, schema["description"], rules);
        const below = this.#hasFields(given, around)
            ? this.#later.add(() => this.#levelBelow(given, around, (fields) => this.#fold(fields)))
            : "";
        return `<div class="field">${line}${texts}${rules}${below}</div>`;
    }

    /** The titles and descriptions of a schema and its items; a title only if the name and the type differ from it. */
    #textsOf(given: unknown, name: string): string {
        const said = new Set([lettersOf(name)]);
        const texts = new Set([""]);
        let html = "";
        let at = given;
        for (let depth = 0; depth < maxLists && isRecord(at); depth += 1) {
            const { schema, names } = mergedSchema(this.document, at);
            const title = typeof schema["title"] === "string" ? schema["title"] : "";
            const description = typeof schema["description"] === "string" ? schema["description"] : "";
            if (title !== "") {
                [...names, this.typeOf(given)].forEach((each) => said.add(lettersOf(each)));
                html += said.has(lettersOf(title)) ? "" : sentence("", [title]);
                said.add(lettersOf(title));
            }
            html += texts.has(description) ? "" : this.textHtml(description);
            texts.add(description);
            at = schema["items"];
        }
        return html;
    }

    #fold(fields: string): string {
        return accordion("Fields", fields, this.context.display.isExpanded === true);
    }

    /** Counts the document's text, not its HTML, so that planning gets the same count without rendering Markdown. */
    #weigh(...texts: readonly unknown[]): void {
        const lengths = texts.map((text) => (typeof text === "string" ? text.length : 0));
        this.#characters += lengths.reduce((sum, length) => sum + length, maxCharactersOfField);
    }

    /** Whether the next level of fields fits; a schema without fields has no next level. */
    #levelBelow(given: unknown, around: readonly string[], write: (fields: string) => string): string {
        const name = nameOfReference(given);
        if (this.#characters >= this.context.maxCharacters && (name === undefined || !around.includes(name))) {
            return this.#notShown(given, around);
        }
        const fields = this.#levelOf(given, around, false);
        return fields === "" ? "" : write(fields);
    }

    /** @param isTop whether this is the first level of a body, which is always shown */
    #levelOf(given: unknown, around: readonly string[], isTop: boolean): string {
        const whole = this.#step(given, around);
        if (whole === undefined) {
            return "";
        }
        if (around.length >= maxDepth || this.#characters >= maxCharactersOfTop) {
            return this.#hasFields(given, around) ? this.#notShown(given, around) : "";
        }
        const { schema, names, repeated } = whole;
        const inner = [...around, ...names];
        const above = repeated.map((name) => `<p class="field-model">${escapeHtml(name)}, as above</p>`);
        const items = schema["items"] === undefined ? "" : this.#levelOf(schema["items"], inner, isTop);
        const others = listOf(schema["allOf"]).map((part) => this.#levelOf(part, inner, isTop));
        const fields = propertiesOf(schema).map(([field, value, required]) =>
            this.field(field, value, required, [], inner),
        );
        const choices = this.first(choicesOf(schema), maxOptions, "variants of a schema", ([label, option]) =>
            this.#option(label, option, inner, isTop),
        );
        const children = this.first(childrenOf(this.document, whole), maxOptions, "variants of a schema", (child) =>
            this.#option(nameOfReference(child) ?? "", child, inner, false),
        );
        return [...above, ...fields, ...others, items, choices, children].join("");
    }

    #step(given: unknown, around: readonly string[]): MergedSchema | undefined {
        this.#steps += 1;
        if (this.#steps > maxSteps) {
            this.context.warn(shownNowhere);
            return undefined;
        }
        return mergedSchema(this.document, given, around);
    }

    #hasFields(given: unknown, around: readonly string[]): boolean {
        const whole = this.#step(given, around);
        if (whole === undefined || around.length > maxDepth) {
            return false;
        }
        const { schema, names, repeated } = whole;
        const inner = [...around, ...names];
        return (
            repeated.length > 0 ||
            propertiesOf(schema).length > 0 ||
            listOf(schema["allOf"]).some((part) => this.#hasFields(part, inner)) ||
            (schema["items"] !== undefined && this.#hasFields(schema["items"], inner)) ||
            conditionsOf(schema).length > 0 ||
            variantsOf(schema).some(([, option]) => this.#saysMore(option) || this.#hasFields(option, inner)) ||
            childrenOf(this.document, whole).length > 0
        );
    }

    /** Names the models whose pages show the omitted fields, or the model that contains them. */
    #notShown(given: unknown, around: readonly string[]): string {
        const models = this.#modelsIn(given);
        const links = (models.length === 0 ? around.slice(-1) : models).flatMap((model) => {
            const href = this.context.modelHref(model);
            return href === undefined ? [] : [`<a href="${escapeHtml(href)}">${escapeHtml(model)}</a>`];
        });
        this.context.warn(links.length > 0 ? shownElsewhere : shownNowhere);
        return `<p class="field-model">Not shown here${links.length === 0 ? "" : `: ${links.join(", ")}`}</p>`;
    }

    #modelsIn(given: unknown, depth = 0): string[] {
        const name = nameOfReference(given);
        if (name !== undefined || depth > 4) {
            return name === undefined ? [] : [name];
        }
        const { items, allOf, oneOf, anyOf } = asRecord(given);
        const inner = [items, ...listOf(allOf), ...listOf(oneOf), ...listOf(anyOf)].slice(0, maxOptions);
        return [...new Set(inner.flatMap((part) => this.#modelsIn(part, depth + 1)))];
    }

    /** A schema's type in a few words, such as `string (date-time)` or `Pet[]`. */
    typeOf(given: unknown, depth = 0): string {
        return [...new Set(this.#typesOf(given, depth))].join(" | ");
    }

    #typesOf(given: unknown, depth: number): string[] {
        const { schema, names, parts, isComposed } = mergedSchema(this.document, given);
        const name = nameOfReference(given) ?? (isComposed ? undefined : names[0]);
        if (parts.length === 0 || depth > 4) {
            return [name ?? (given === false ? "never" : "any")];
        }
        const types = [schema["type"]].flat().filter((type): type is string => typeof type === "string");
        const nullable = schema["nullable"] === true || types.includes("null") ? ["null"] : [];
        if (name !== undefined && types.every((type) => type === "object" || type === "null")) {
            return [name, ...nullable];
        }
        const options = [...listOf(schema["oneOf"]), ...listOf(schema["anyOf"])];
        if (types.length === 0 && options.length > 0) {
            const shown = options.slice(0, depth === 0 ? maxOptions : maxInnerTypes);
            const ofOptions = shown.flatMap((option) => this.#typesOf(option, depth + 1));
            return [...ofOptions, ...(shown.length < options.length ? ["…"] : []), ...nullable];
        }
        if (types.length === 0) {
            const values = schema["const"] === undefined ? listOf(schema["enum"]) : [schema["const"]];
            types.push(...(isRecord(schema["items"]) ? ["array"] : values.map(typeOfValue)));
        }
        const shown = (types.length === 0 ? [typeOfKeywords(schema)] : types).map((type) =>
            type === "array" ? this.#typeOfList(schema, depth) : type,
        );
        const format = typeof schema["format"] === "string" ? ` (${schema["format"]})` : "";
        const all = [...new Set([...shown, ...nullable])];
        return all.map((type, at) => (at === all.length - 1 ? type + format : type));
    }

    #typeOfList({ items }: Json, depth: number): string {
        const type = this.typeOf(items, depth + 1);
        return type.includes(" | ") ? `(${type})[]` : `${type}[]`;
    }

    /**
     * Writes a variant that readers can open; empty if the variant adds nothing to the type next to the field's name.
     */
    #option(label: string, given: unknown, around: readonly string[], isTop: boolean): string {
        const about = this.#aboutOption(given);
        this.#weigh(label, about);
        const fields = isTop
            ? this.#levelOf(given, around, true)
            : this.#hasFields(given, around)
              ? this.#later.add(() => this.#levelBelow(given, around, (level) => level))
              : "";
        const written = this.#textsOf(given, label) + about + fields;
        const isAlone = written === "" && (isTop || nameOfReference(given) !== label);
        const content = isAlone ? sentence("", [this.typeOf(given)]) : written;
        return content === "" ? "" : accordion(escapeHtml(label), content);
    }

    #saysMore(option: unknown): boolean {
        const { title, description } = mergedSchema(this.document, option).schema;
        const isText = (text: unknown) => typeof text === "string" && text !== "";
        return isText(title) || isText(description) || this.#aboutOption(option) !== "";
    }

    #aboutOption(given: unknown): string {
        const { schema } = mergedSchema(this.document, given);
        const own = asRecord(schema["properties"]);
        const needed = listOf(schema["required"]).filter((name) => !Object.hasOwn(own, String(name)));
        const rules = needed.length === 0 ? [] : [`required: ${needed.join(", ")}`];
        return (
            sentence(this.typeOf(schema), [...defaultOf(schema), ...limitsOf(schema), ...rules]) +
            notesOf(this.document, schema)
        );
    }
}

const shownElsewhere =
    "some models are too large for the pages that use them: these pages show all fields of the first level, and link " +
    "to the models' pages, which show the deeper ones";

const shownNowhere =
    "some fields are not on any page, because all fields together are too large: name their schemas under " +
    "components.schemas, so that each schema gets its own page";

/** The type of a value in a schema without a type. */
function typeOfValue(value: unknown): string {
    const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
    return type === "bigint" || Number.isInteger(value) ? "integer" : type;
}
