import { jsonOf } from "../../text/json-text.js";
import { asRecord, isRecord, listOf, textOf } from "../../text/json-values.js";
import { firstOf } from "./api-context.js";
import { entriesOf, hasMark, type HasRoot, type Json, nameOfReference } from "../documents/references.js";
import { childrenOf, examplesOfSchema, type MergedSchema, mergedSchema } from "./merged-schema.js";

const maxValues = 300;

export interface SampleOptions {
    /** Omits optional fields. */
    readonly isShort?: boolean | undefined;
    /** Fields that the body cannot contain: a request has no read-only fields. */
    readonly without?: "readOnly" | "writeOnly";
    /** Reports a part of the document that is missing from an example. */
    readonly warn?: (reason: string) => void;
}

/** The largest example on a page, and in the code of each language. */
const maxExampleLength = 100_000;

/** The value of an example, unless it is too long for a page. */
export function ifFits(value: unknown, { warn }: SampleOptions): unknown {
    const { length } = typeof value === "string" ? value : (jsonOf(value) ?? "");
    if (length > maxExampleLength) {
        warn?.(
            `an example of ${length} characters is too long for a page: only the document has it, ` +
                "and the page shows another one",
        );
        return undefined;
    }
    return value;
}

/** An example of a body: from the document, or generated from the body's schema. */
export function exampleOf(document: HasRoot, media: unknown, options: SampleOptions): unknown {
    if (!isRecord(media)) {
        return undefined;
    }
    const own = ifFits(media["example"], options);
    if (own !== undefined) {
        return own;
    }
    const values = entriesOf(document, media["examples"]).map(([, each]) => valueOf(each));
    // Another value says more than null.
    const given = ifFits(values.find((each) => each !== undefined && each !== null) ?? values[0], options);
    const schema = schemaOfMedia(media);
    return given === undefined && schema !== undefined ? new Sampler(document, options).sample(schema) : given;
}

/** The value of an Example object. */
export function valueOf({ value, dataValue, serializedValue }: Json = {}): unknown {
    return [value, dataValue, serializedValue].find((each) => each !== undefined);
}

/** The schema of a body; a stream of items is shown as a list. */
export function schemaOfMedia(media: unknown): unknown {
    const { schema, itemSchema } = asRecord(media);
    return schema ?? (itemSchema === undefined ? undefined : { type: "array", items: itemSchema });
}

/** The maximum number of examples of a body or a message. */
export const maxExamples = 20;

/** An example of a body. */
interface BodyExample {
    /** The example's summary or name in the document. */
    readonly label: string;
    readonly value: unknown;
    /** Whether the document has the example; otherwise it is generated from the schema. */
    readonly isGiven: boolean;
    /** Whether the label says what the example shows. */
    readonly isDescribed: boolean;
}

/** All examples of a body and of its schema, or a single example that is generated from its schema. */
export function examplesOf(document: HasRoot, media: unknown, options: SampleOptions): BodyExample[] {
    const { example, examples } = asRecord(media);
    const named = entriesOf(document, isRecord(examples) ? examples : {}).map(([key, given]) => {
        const summary = textOf(given["summary"]);
        return { label: summary ?? key, isDescribed: summary !== undefined, value: valueOf(given) };
    });
    const { schema } = mergedSchema(document, schemaOfMedia(media));
    const others = [example, ...examplesOfSchema(schema)];
    const unnamed = others.map((value) => ({ label: "Example", isDescribed: false, value }));
    const known = new Set<string>();
    const all = [...unnamed.slice(0, 1), ...named, ...unnamed.slice(1)].filter(({ value }) => {
        const text = value === undefined ? "" : jsonOf(value);
        const isNew = text !== "" && !known.has(text);
        known.add(text);
        return isNew;
    });
    const shown = firstOf(all, maxExamples, "examples", options.warn)
        .filter(({ value }) => ifFits(value, options) !== undefined)
        .map((each) => ({ ...each, isGiven: true }));
    if (shown.length > 0) {
        const [first] = shown;
        const isAlone = shown.length === 1 && first?.isDescribed === false;
        return isAlone && first !== undefined ? [{ ...first, label: "Example" }] : shown;
    }
    const value = exampleOf(document, media, options);
    return value === undefined || value === null
        ? []
        : [{ label: "Example", value, isGiven: false, isDescribed: false }];
}

/**
 * openapi-sampler (1.7.9) is not used: it limits the depth of a sample, not its size. Six schemas that each refer to
 * the next one eight times produce 3.9 MB in 1.1 s, and each further schema multiplies both by eight.
 */
export class Sampler {
    #values = 0;

    constructor(
        private readonly document: HasRoot,
        private readonly options: SampleOptions,
    ) {}

    /** @returns undefined if the schema only repeats the models around it, or allows no value */
    sample(given: unknown, around: readonly string[] = []): unknown {
        if (given === false) {
            return undefined;
        }
        this.#values += 1;
        if (this.#values > maxValues) {
            this.options.warn?.(`an example shows only its first ${maxValues} values: its schema has the others`);
            return null;
        }
        const all = mergedSchema(this.document, given, around);
        if (all.parts.length === 0) {
            return all.repeated.length > 0 ? undefined : null;
        }
        const whole = knownValue(all.schema) === undefined ? (this.#childOf(all, around) ?? all) : all;
        const { schema, names } = whole;
        const known = knownValue(schema);
        if (known !== undefined) {
            return known;
        }
        const inner = [...around, ...names];
        const { oneOf, anyOf, ...others } = schema;
        const options = listOf(oneOf).length > 0 ? listOf(oneOf) : listOf(anyOf);
        if (options.length > 0) {
            const rest = listOf(oneOf).length > 0 && anyOf !== undefined ? { ...others, anyOf } : others;
            const option = this.#optionOf(options, inner);
            return option === undefined ? undefined : this.sample({ allOf: [rest, option] }, inner);
        }
        const types = [schema["type"]].flat().filter((type) => type !== "null" && type !== undefined);
        if (types.length === 0 && schema["type"] === "null") {
            return null;
        }
        const isList = types.length === 0 && (schema["items"] ?? schema["prefixItems"]) !== undefined;
        switch (isList ? "array" : types[0]) {
            case "array":
                return this.#list(schema, inner);
            case "string":
                return textFor(schema);
            case "integer":
            case "number":
                return numberFor(schema, types[0] === "integer");
            case "boolean":
                return true;
            default:
                return this.#object(whole, inner);
        }
    }

    /** The first child of a parent whose discriminator has values for its children only. */
    #childOf(parent: MergedSchema, around: readonly string[]): MergedSchema | undefined {
        const { mapping } = asRecord(parent.schema["discriminator"]);
        const [name] = parent.names;
        if (mapping === undefined || name === undefined || keyInMapping(name, mapping) !== undefined) {
            return undefined;
        }
        return childrenOf(this.document, parent)
            .map((child) => mergedSchema(this.document, child, around))
            .find(({ names: [child] }) => child !== undefined && keyInMapping(child, mapping) !== undefined);
    }

    /** The first variant that is neither null nor around the value. */
    #optionOf(options: readonly unknown[], around: readonly string[]): unknown {
        const possible = options.filter((option) => !around.includes(nameOfReference(option) ?? ""));
        return possible.find((option) => asRecord(option)["type"] !== "null") ?? possible[0];
    }

    #list(
        { items, prefixItems, contains, minItems, maxItems, uniqueItems }: Json,
        inner: readonly string[],
    ): unknown[] {
        const tuple = [prefixItems, items].find((each) => Array.isArray(each)) as readonly unknown[] | undefined;
        const samples = (tuple ?? [items ?? contains ?? {}]).map((item) => this.sample(item ?? {}, inner));
        const values: unknown[] = samples.filter((value) => value !== undefined);
        const [first] = values;
        const count = Math.min(typeof minItems === "number" ? minItems : 0, maxRepeated);
        for (let at = values.length; first !== undefined && at < count; at += 1) {
            values.push(uniqueItems === true ? differentFrom(first, items, at) : first);
        }
        return typeof maxItems === "number" ? values.slice(0, maxItems) : values;
    }

    #object({ schema, names, parts, isComposed }: MergedSchema, inner: readonly string[]): Json {
        const required = listOf(schema["required"]).filter((key) => typeof key === "string");
        const properties = asRecord(schema["properties"]);
        const values: Record<string, unknown> = {};
        for (const [key, property] of Object.entries(properties)) {
            const isWanted = this.#isWanted(key, property, required);
            const value = isWanted ? this.sample(property, inner) : undefined;
            if (value !== undefined || (isWanted && property !== false && required.includes(key))) {
                values[key] = value ?? null;
            }
        }
        const examples = isComposed ? parts.slice(1).map((part) => asRecord(knownValue(part))) : [];
        for (const [key, value] of examples.flatMap((example) => Object.entries(example))) {
            if (this.#isWanted(key, properties[key], required)) {
                values[key] = value;
            }
        }
        const { discriminator, additionalProperties: others, minProperties } = schema;
        const field = typeof discriminator === "string" ? discriminator : asRecord(discriminator)["propertyName"];
        const [name] = names;
        if (typeof field === "string" && name !== undefined && Object.hasOwn(values, field)) {
            const isOpen = knownValue(mergedSchema(this.document, properties[field]).schema) === undefined;
            values[field] = isOpen ? (keyInMapping(name, asRecord(discriminator)["mapping"]) ?? name) : values[field];
        }
        const missing = required.filter((key) => !Object.hasOwn(properties, key) && !Object.hasOwn(values, key));
        const isMap = isRecord(others) && this.options.isShort !== true && Object.keys(properties).length === 0;
        const least = Math.min(typeof minProperties === "number" ? minProperties : 0, maxRepeated);
        const count = Object.keys(values).length + missing.length;
        const added = Array.from({ length: Math.max(least - count, isMap && count === 0 ? 1 : 0) }, (_, at) =>
            at === 0 ? "key" : `key${at + 1}`,
        );
        for (const key of [...missing, ...(others === false ? [] : added)]) {
            values[key] = this.sample(isRecord(others) ? others : { type: "string" }, inner) ?? null;
        }
        return values;
    }

    #isWanted(key: string, value: unknown, required: readonly unknown[]): boolean {
        const { isShort, without } = this.options;
        const isNeeded = isShort !== true || required.includes(key);
        return isNeeded && (without === undefined || !hasMark(this.document, value, without));
    }
}

/** The maximum number of items or keys that are added because a schema needs them. */
const maxRepeated = 10;

function knownValue(schema: Json): unknown {
    if (schema["const"] === null) {
        return null;
    }
    const candidates = [schema["const"], schema["example"], listOf(schema["examples"])[0], schema["default"]];
    return candidates.find((value) => value !== undefined) ?? listOf(schema["enum"])[0];
}

/** The value of a discriminator that its mapping has for a model. */
function keyInMapping(name: string, mapping: unknown): string | undefined {
    const found = Object.entries(asRecord(mapping)).find(
        ([, target]) => target === name || nameOfReference({ $ref: target }) === name,
    );
    return found?.[0];
}

function differentFrom(first: unknown, items: unknown, at: number): unknown {
    const value = listOf(asRecord(items)["enum"])[at];
    return value ?? (typeof first === "number" ? first + at : typeof first === "string" ? `${first}${at}` : first);
}

const texts: Readonly<Record<string, string>> = {
    binary: "@file",
    byte: "c3RyaW5n",
    date: "2026-01-31",
    "date-time": "2026-01-31T12:00:00Z",
    time: "12:00:00Z",
    duration: "P1D",
    email: "user@example.com",
    hostname: "example.com",
    ipv4: "192.0.2.1",
    ipv6: "2001:db8::1",
    uri: "https://example.com",
    url: "https://example.com",
    "uri-reference": "/path",
    uuid: "123e4567-e89b-12d3-a456-426614174000",
};

const anyText = "<string>";

/** The texts of samples, which say nothing about the value that an API expects. */
export const inventedTexts: ReadonlySet<unknown> = new Set([anyText, ...Object.values(texts)]);

const maxTextLength = 1000;

function textFor({ format, minLength, maxLength }: Json): string {
    const known = typeof format === "string" && Object.hasOwn(texts, format) ? texts[format] : undefined;
    const least = Math.min(typeof minLength === "number" ? minLength : 0, maxTextLength);
    const most = typeof maxLength === "number" ? maxLength : maxTextLength;
    const text = known ?? anyText;
    return text.length < least
        ? text.padEnd(least, "string")
        : text.length <= most
          ? text
          : "string".slice(0, Math.max(most, 0));
}

const usualNumber = 123;

/** The usual number, or one within the limits. */
function numberFor(schema: Json, isInteger: boolean): number {
    const limit = (key: string) => (typeof schema[key] === "number" ? schema[key] : undefined);
    const [minimum, maximum, step] = [limit("minimum"), limit("maximum"), limit("multipleOf") ?? (isInteger ? 1 : 0)];
    // In OpenAPI 3.0, these keywords make the other limit exclusive.
    const above = schema["exclusiveMinimum"] === true ? minimum : limit("exclusiveMinimum");
    const below = schema["exclusiveMaximum"] === true ? maximum : limit("exclusiveMaximum");
    const fits = (value: number) =>
        value >= (minimum ?? -Infinity) &&
        value <= (maximum ?? Infinity) &&
        value > (above ?? -Infinity) &&
        value < (below ?? Infinity) &&
        (step === 0 || Math.abs(value / step - Math.round(value / step)) < 1e-9);
    const [from, to] = [
        Math.max(minimum ?? -Infinity, above ?? -Infinity),
        Math.min(maximum ?? Infinity, below ?? Infinity),
    ];
    const unit = step === 0 ? 1 : step;
    const near = [from, to].filter(Number.isFinite).flatMap((end) => {
        const whole = Math.round(end / unit) * unit;
        return [end, whole, whole + unit, whole - unit];
    });
    return [usualNumber, ...near, (from + to) / 2, unit, 0].find(fits) ?? usualNumber;
}
