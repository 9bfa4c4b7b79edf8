import { beginningOf } from "@pulumi-static-export/contract";
import { escapeHtml } from "../../text/html-text.js";
import { jsonOf, plainText } from "../../text/json-text.js";
import { asRecord, isPlain, listOf } from "../../text/json-values.js";
import { type HasRoot, type Json, nameOfReference } from "../documents/references.js";
import { type ApiContext, firstOf } from "./api-context.js";
import { examplesOfSchema, mergedSchema } from "./merged-schema.js";

/** Keywords of a schema that are shown with their values next to a field's name, and the format of each. */
const limits: readonly (readonly [keyword: string, label: string])[] = [
    ["const", "always"],
    ["minimum", "minimum"],
    ["exclusiveMinimum", "more than"],
    ["maximum", "maximum"],
    ["exclusiveMaximum", "less than"],
    ["multipleOf", "multiple of"],
    ["minLength", "minimum length"],
    ["maxLength", "maximum length"],
    ["pattern", "pattern"],
    ["minItems", "minimum items"],
    ["maxItems", "maximum items"],
    ["minContains", "minimum that match"],
    ["maxContains", "maximum that match"],
    ["minProperties", "minimum fields"],
    ["maxProperties", "maximum fields"],
    ["contentEncoding", "encoding"],
    ["contentMediaType", "content"],
];

/** Keywords that are shown as a label if they have the given value. */
const marks: readonly (readonly [keyword: string, value: boolean, label: string])[] = [
    ["writeOnly", true, "write only"],
    ["uniqueItems", true, "unique items"],
    ["exclusiveMinimum", true, "more than the minimum"],
    ["exclusiveMaximum", true, "less than the maximum"],
    ["additionalProperties", false, "no other fields"],
    ["unevaluatedProperties", false, "no other fields"],
    ["additionalItems", false, "no other items"],
    ["unevaluatedItems", false, "no other items"],
];

const maxValues = 1000;
const maxExamples = 20;
const maxValueLength = 20_000;

interface NotesOptions {
    readonly hasExamples?: boolean;
    /** The summaries of the examples, in their order. */
    readonly labels?: readonly string[];
    /** Reports a part of the document that is missing from the page. */
    readonly warn?: ApiContext["warn"];
}

/** A schema's limits, each in a few words. */
export function limitsOf(schema: Json): string[] {
    const valued = limits.flatMap(([keyword, label]) => {
        const value = schema[keyword];
        return value === undefined || (keyword !== "const" && typeof value === "boolean")
            ? []
            : [`${label}: ${typeof value === "string" && keyword !== "const" ? value : shown(value)}`];
    });
    const marked = marks.filter(([keyword, value]) => schema[keyword] === value).map(([, , label]) => label);
    return [...valued, ...new Set(marked)];
}

export function defaultOf(schema: Json): string[] {
    return schema["default"] === undefined ? [] : [`default: ${jsonOf(schema["default"])}`];
}

/** Values, examples and rules of a schema, as paragraphs. */
export function notesOf(document: HasRoot, schema: Json, { hasExamples = true, labels, warn }: NotesOptions): string {
    return [
        valuesOf("One of", schema["enum"], "values", warn, meaningsOf(schema)),
        notesOfItems(document, schema, warn),
        // The rules of other parts, which the schema has, too.
        ...listOf(schema["allOf"]).map((part) => sentence("", limitsOf(asRecord(part)))),
        hasExamples ? examplesOf("Example", schema, warn, "", labels) : "",
        discriminatorOf(schema["discriminator"]),
        requiredWith(schema),
        linkOf(schema["externalDocs"]),
    ].join("");
}

const maxLists = 10;

/** The rules of a list's items, which may be lists themselves. */
function notesOfItems(document: HasRoot, { items: given }: Json, warn: NotesOptions["warn"], depth = 0): string {
    const items = mergedSchema(document, given).schema;
    if (depth > maxLists || Object.keys(items).length === 0) {
        return "";
    }
    return [
        valuesOf("Each one of", items["enum"], "values", warn, meaningsOf(items)),
        sentence("Each", [...defaultOf(items), ...limitsOf(items)]),
        examplesOf("Example", items, warn, " of each"),
        discriminatorOf(items["discriminator"]),
        requiredWith(items),
        linkOf(items["externalDocs"]),
        notesOfItems(document, items, warn, depth + 1),
    ].join("");
}

function examplesOf(
    label: string,
    schema: Json,
    warn: NotesOptions["warn"],
    of = "",
    labels?: readonly string[],
): string {
    const examples = examplesOfSchema(schema);
    return valuesOf(`${label}${examples.length > 1 ? "s" : ""}${of}:`, examples, "examples", warn, labels);
}

/** A link to documentation elsewhere. */
export function linkOf(docs: unknown): string {
    const { url, description } = asRecord(docs);
    if (typeof url !== "string" || !/^https?:\/\//i.test(url)) {
        return "";
    }
    const text = typeof description === "string" && description !== "" ? description : url;
    return `<p class="field-values"><a href="${escapeHtml(url)}">${escapeHtml(text)}</a></p>`;
}

/** What the values of an enum mean, in a list, or in an object by value (`x-enumDescriptions`). */
function meaningsOf(schema: Json): unknown {
    return schema["x-enumDescriptions"] ?? schema["x-enum-descriptions"];
}

function valuesOf(
    before: string,
    given: unknown,
    what: "values" | "examples",
    warn: NotesOptions["warn"],
    meanings?: unknown,
): string {
    const values = listOf(given);
    const codes = firstOf(values, what === "values" ? maxValues : maxExamples, what, warn).map((value, at) => {
        const meaning = Array.isArray(meanings)
            ? (meanings[at] as unknown)
            : asRecord(meanings)[isPlain(value) ? String(value) : ""];
        const text = typeof meaning === "string" && meaning !== "" ? `: ${escapeHtml(meaning)}` : "";
        return `<code>${escapeHtml(shown(value, warn))}</code>${text}`;
    });
    const more = values.length > codes.length ? `, and ${values.length - codes.length} more in the document` : "";
    return codes.length === 0 ? "" : `<p class="field-values">${before} ${codes.join(", ")}${more}</p>`;
}

/** The line of a field, or of a similar entry. @param before labels in front of the name */
export function nameLine(name: string, labels: Labels = [], before: Labels = []): string {
    return `<p class="field-name">${labelsHtml(before)}<code>${escapeHtml(name)}</code>${labelsHtml(labels)}</p>`;
}

type Labels = readonly (string | undefined)[];

export function labelsHtml(labels: Labels): string {
    return labels.map((label) => (label === undefined ? "" : `<span>${escapeHtml(label)}</span>`)).join("");
}

export function sentence(before: string, parts: readonly string[]): string {
    return parts.length === 0
        ? ""
        : `<p class="field-values">${escapeHtml(`${before} ${parts.join("; ")}`.trim())}</p>`;
}

function discriminatorOf(given: unknown): string {
    // In AsyncAPI, the discriminator is only the field's name.
    const { propertyName, mapping, defaultMapping } =
        typeof given === "string" ? { propertyName: given } : asRecord(given);
    if (typeof propertyName !== "string") {
        return "";
    }
    const others = defaultMapping === undefined ? {} : { "anything else": defaultMapping };
    const choices = Object.entries({ ...asRecord(mapping), ...others }).map(
        ([value, target]) => `${value}: ${nameOfReference({ $ref: target }) ?? shown(target)}`,
    );
    return sentence(`Distinguished by ${propertyName}${choices.length === 0 ? "" : ":"}`, [choices.join(", ")]);
}

function requiredWith({ dependencies, dependentRequired }: Json): string {
    return Object.entries({ ...asRecord(dependencies), ...asRecord(dependentRequired) })
        .filter(([, others]) => Array.isArray(others))
        .map(([name, others]) => sentence(`With ${name}, required:`, [listOf(others).map(plainText).join(", ")]))
        .join("");
}

/** A value as JSON, truncated if it is too long for a page. */
export function shown(value: unknown, warn?: NotesOptions["warn"]): string {
    const text = jsonOf(value);
    if (text.length > maxValueLength) {
        warn?.(`a value of ${text.length} characters is shown in part: only the document has all of it`);
        return `${beginningOf(text, maxValueLength)}…`;
    }
    return text;
}
