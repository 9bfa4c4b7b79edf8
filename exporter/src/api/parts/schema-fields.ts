import { type ApiContext, firstOf } from "./api-context.js";
import { accordion } from "../../html/accordion.js";
import { escapeHtml } from "../../text/html-text.js";
import { jsonOf } from "../../text/json-text.js";
import { asRecord, isRecord, listOf } from "../../text/json-values.js";
import { lettersOf } from "../../text/strings.js";
import { entriesOf, type HasRoot, type Json, nameOfReference, referenceTo } from "../documents/references.js";
import { DeferredParts } from "./deferred-parts.js";
import { defaultOf, labelsHtml, limitsOf, nameLine, notesOf, sentence } from "./schema-notes.js";
import { choicesOf, conditionsOf, labelsOfMint, maxOptions, propertiesOf, variantsOf } from "./schema-parts.js";
import { typeOfSchema } from "./schema-types.js";
import { childrenOf, examplesOfSchema, type MergedSchema, mergedSchema, type PartText } from "./merged-schema.js";

/** The size limit for a whole page, which only a hostile document reaches. */
const maxCharactersOfPage = 4_000_000;
const maxCharactersOfField = 250;
const maxDepth = 10;
const maxLists = 10;
/**
 * A separate limit for schemas without fields, which add no characters but could still refer to each other too often.
 */
const maxSteps = 100_000;

/** How a body is sent: a request contains no read-only fields, and a response no write-only ones. */
type Body = "request" | "response";

/**
 * Writes the parts of a document on a page: schemas as nested fields, breadth first, so that all fields of the first
 * level are shown. On a full page, models are links to their own pages; the parts between them have no other page, and
 * are shown. A model that is nested in itself is only named there, not shown again.
 */
export class SchemaView {
    #characters = 0;
    #steps = 0;
    #body: Body | undefined;
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

    /** Writes a body with all its levels, so that it takes the page's room before the bodies after it. */
    bodyOf(body: Body, write: () => string): string {
        this.#body = body;
        const html = this.complete(write());
        this.#body = undefined;
        return html;
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
        return this.#textsOf(given, "") + rules + this.#notesOf(schema, false);
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
        return description + head + this.#notesOf(schema) + fields;
    }

    /** @param examples the labels of the schema's examples */
    field(
        name: string,
        given: unknown,
        required = false,
        notes: readonly string[] = [],
        around: readonly string[] = [],
        examples: readonly string[] = [],
    ): string {
        const { schema } = mergedSchema(this.document, given);
        const isElsewhere = schema[this.#body === "request" ? "readOnly" : "writeOnly"] === true;
        const flags = [
            this.typeOf(given),
            ...notes,
            required && !(isElsewhere && this.#body !== undefined) ? "required" : undefined,
            schema["deprecated"] === true ? "deprecated" : undefined,
            schema["readOnly"] === true ? "read only" : undefined,
            ...labelsOfMint(schema, "post"),
            ...defaultOf(schema),
            ...limitsOf(schema),
        ];
        const line = nameLine(name, flags, labelsOfMint(schema, "pre"));
        const rules = this.#notesOf(schema, true, examples);
        const texts = this.#textsOf(given, name);
        this.#weigh(line, rules);
        const below = this.#hasFields(given, around)
            ? this.#later.add(() => this.#levelBelow(given, around, (fields) => this.#fold(fields)))
            : "";
        return `<div class="field">${line}${texts}${rules}${below}</div>`;
    }

    #notesOf(schema: Json, hasExamples = true, labels: readonly string[] = []): string {
        return notesOf(this.document, schema, { hasExamples, labels, warn: this.context.warn });
    }

    /**
     * The titles and descriptions of a schema and its items; a title only if the name and the type differ from it. A
     * description of a model that another one replaces here can be opened.
     */
    #textsOf(given: unknown, name: string): string {
        const said = new Set([lettersOf(name)]);
        const shown = new Set([""]);
        let html = "";
        let at = given;
        for (let depth = 0; depth < maxLists && isRecord(at); depth += 1) {
            const { schema, names, texts } = mergedSchema(this.document, at);
            const title = typeof schema["title"] === "string" ? schema["title"] : "";
            const { description } = schema;
            if (title !== "") {
                [...names, this.typeOf(given)].forEach((each) => said.add(lettersOf(each)));
                html += said.has(lettersOf(title)) ? "" : sentence("", [title]);
                said.add(lettersOf(title));
            }
            const here = texts.filter(({ model }) => model === undefined).map(({ text }) => text);
            for (const text of [typeof description === "string" ? description : "", ...here]) {
                html += shown.has(text) ? "" : this.textHtml(text);
                this.#characters += shown.has(text) ? 0 : text.length;
                shown.add(text);
            }
            html += this.#textsOfModels(schema, texts, shown);
            at = schema["items"];
        }
        return html;
    }

    /** The descriptions and examples of the models in a schema that others replace here. */
    #textsOfModels(schema: Json, texts: readonly PartText[], shown: Set<string>): string {
        const known = new Set(examplesOfSchema(schema).map((each) => jsonOf(each)));
        const parts = texts.map(({ text, examples, model }) => {
            const others = examples.filter((each) => model !== undefined && !known.has(jsonOf(each)));
            const notes = others.length === 0 ? "" : this.#notesOf({ examples: others });
            const content = (model === undefined || shown.has(text) ? "" : this.textHtml(text)) + notes;
            others.forEach((each) => known.add(jsonOf(each)));
            this.#characters += shown.has(text) ? notes.length : text.length + notes.length;
            shown.add(text);
            return content === "" ? "" : accordion(`About ${escapeHtml(model ?? "")}`, content);
        });
        return parts.join("");
    }

    #fold(fields: string): string {
        return accordion("Fields", fields, this.context.display.isExpanded === true);
    }

    /** Counts the document's text, not its HTML, so that planning gets the same count without rendering Markdown. */
    #weigh(...texts: readonly unknown[]): void {
        const lengths = texts.map((text) => (typeof text === "string" ? text.length : 0));
        this.#characters += lengths.reduce((sum, length) => sum + length, maxCharactersOfField);
    }

    #levelBelow(given: unknown, around: readonly string[], write: (fields: string) => string): string {
        const fields = this.#levelOf(given, around, false);
        return fields === "" ? "" : write(fields);
    }

    /** @param isTop whether this is the first level of a body, which is always shown */
    #levelOf(given: unknown, around: readonly string[], isTop: boolean): string {
        if (this.#characters >= maxCharactersOfPage) {
            return this.#hasFields(given, around) ? this.#notShown(this.#modelsOf(given)) : "";
        }
        const isFull = around.length >= maxDepth || (!isTop && this.#characters >= this.context.maxCharacters);
        const elsewhere = isFull ? this.#modelsOf(given).filter((model) => this.#isElsewhere(model, around)) : [];
        const whole = this.#step(given, [...around, ...elsewhere]);
        if (whole === undefined) {
            return "";
        }
        const { schema, names, repeated } = whole;
        const inner = [...around, ...names];
        const above = repeated
            .filter((name) => !elsewhere.includes(name))
            .map((name) => `<p class="field-model">${escapeHtml(name)}, as above</p>`);
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
        const links = elsewhere.length === 0 ? "" : this.#notShown(elsewhere);
        return [...above, ...fields, ...others, items, choices, children, links].join("");
    }

    #step(given: unknown, around: readonly string[]): MergedSchema | undefined {
        this.#steps += 1;
        if (this.#steps > maxSteps) {
            this.context.warn(tooManySteps);
            return undefined;
        }
        return mergedSchema(this.document, given, around);
    }

    #hasFields(given: unknown, around: readonly string[]): boolean {
        const whole = this.#step(given, around);
        if (whole === undefined) {
            return false;
        }
        if (around.length > maxDepth) {
            // Perhaps: the level below is then a link to the model.
            return true;
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

    /** Whether a model has fields that its own page shows, instead of a model around the place. */
    #isElsewhere(model: string, around: readonly string[]): boolean {
        return !around.includes(model) && this.#hasFields({ $ref: referenceTo(model) }, around);
    }

    /** Names the models whose fields are omitted, with links to their pages. */
    #notShown(models: readonly string[]): string {
        if (models.length === 0) {
            this.context.warn(tooLarge);
        }
        const links = models.map((model) => {
            const href = this.context.modelHref(model);
            this.context.warn(href === undefined ? shownNowhere(this.document, model) : shownElsewhere);
            return href === undefined ? escapeHtml(model) : `<a href="${escapeHtml(href)}">${escapeHtml(model)}</a>`;
        });
        return `<p class="field-model">Not shown here${links.length === 0 ? "" : `: ${links.join(", ")}`}</p>`;
    }

    /** The models that a schema consists of. */
    #modelsOf(given: unknown, depth = 0): string[] {
        const name = nameOfReference(given);
        const parts = depth > maxNestedParts ? [] : listOf(asRecord(given)["allOf"]);
        const models = name === undefined ? parts.flatMap((part) => this.#modelsOf(part, depth + 1)) : [name];
        return [...new Set(models)];
    }

    /** A schema's type in a few words, such as `string (date-time)` or `Pet[]`. */
    typeOf(given: unknown): string {
        return typeOfSchema(this.document, given);
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

    #saysMore(option: unknown, depth = 0): boolean {
        const { title, description, items } = mergedSchema(this.document, option).schema;
        const isText = (text: unknown) => typeof text === "string" && text !== "";
        return (
            isText(title) ||
            isText(description) ||
            this.#aboutOption(option) !== "" ||
            (isRecord(items) && depth < maxLists && this.#saysMore(items, depth + 1))
        );
    }

    #aboutOption(given: unknown): string {
        const { schema } = mergedSchema(this.document, given);
        const own = asRecord(schema["properties"]);
        const needed = listOf(schema["required"]).filter((name) => !Object.hasOwn(own, String(name)));
        const rules = needed.length === 0 ? [] : [`required: ${needed.join(", ")}`];
        return (
            sentence(this.typeOf(schema), [...defaultOf(schema), ...limitsOf(schema), ...rules]) + this.#notesOf(schema)
        );
    }
}

const shownElsewhere =
    "some models are too large for the pages that use them: these pages show all fields of the first level, and link " +
    "to the models' pages, which show the deeper ones";

function shownNowhere({ root }: HasRoot, model: string): string {
    const advice =
        root["asyncapi"] === undefined ? `add a page with openapi-schema: ${model}` : "describe it on a page";
    return `some fields of ${model} are not on any page, because the pages that use it are full: ${advice}`;
}

const tooLarge = `a page would have more than ${maxCharactersOfPage} characters, and shows only the first fields: split the operation or channel`;

const tooManySteps =
    "a page shows only some of its fields, because its schemas refer to each other too often: split the operation or channel";

/** The maximum depth of parts within parts. */
const maxNestedParts = 50;
