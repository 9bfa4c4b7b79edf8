import { jsonOf } from "../../text/json-text.js";
import { asRecord, isRecord, listOf } from "../../text/json-values.js";
import { firstOf } from "./api-context.js";
import { hasMark, type HasRoot, type Json, nameOfReference, resolveReference } from "../documents/references.js";

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
            `an example of ${length} characters is too long for a page: the document has it, and the page another one`,
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
    const [first] = isRecord(media["examples"]) ? Object.values(media["examples"]) : [];
    const example = resolveReference(document, first);
    const schema = schemaOfMedia(media);
    return (
        ifFits(valueOf(example), options) ??
        (schema === undefined ? undefined : new Sampler(document, options).sample(schema, []))
    );
}

/** The value of an Example object. */
export function valueOf({ value, dataValue, serializedValue }: Json = {}): unknown {
    return value ?? dataValue ?? serializedValue;
}

/** The schema of a body; a stream of items is shown as a list. */
export function schemaOfMedia(media: unknown): unknown {
    const { schema, itemSchema } = asRecord(media);
    return schema ?? (itemSchema === undefined ? undefined : { type: "array", items: itemSchema });
}

/** The maximum number of examples of a body or a message. */
export const maxExamples = 20;

/** All examples of a body with their names, or a single example that is generated from its schema. */
export function examplesOf(
    document: HasRoot,
    media: unknown,
    options: SampleOptions,
): { label: string; value: unknown }[] {
    const given = isRecord(media) && isRecord(media["examples"]) ? Object.entries(media["examples"]) : [];
    const named = firstOf(given, maxExamples, "examples", options.warn).flatMap(([key, example]) => {
        const { summary, ...others } = resolveReference(document, example) ?? {};
        const value = ifFits(valueOf(others), options);
        const label = typeof summary === "string" && summary !== "" ? summary : key;
        return value === undefined || value === null ? [] : [{ label, value }];
    });
    if (named.length > 1) {
        return named;
    }
    const value = exampleOf(document, media, options);
    return value === undefined || value === null ? [] : [{ label: "Example", value }];
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

    /** @param requiredAround fields that the surrounding schema requires */
    sample(given: unknown, around: readonly string[], requiredAround: readonly unknown[] = []): unknown {
        const name = nameOfReference(given);
        const schema = resolveReference(this.document, given);
        this.#values += 1;
        if (this.#values > maxValues) {
            this.options.warn?.(`an example has only its first ${maxValues} values: its schema has the others`);
        }
        if (schema === undefined || this.#values > maxValues || (name !== undefined && around.includes(name))) {
            return null;
        }
        const inner = name === undefined ? around : [...around, name];
        const candidates = [schema["example"], listOf(schema["examples"])[0], schema["const"], schema["default"]];
        const known = candidates.find((value) => value !== undefined) ?? listOf(schema["enum"])[0];
        if (known !== undefined) {
            return known;
        }
        const required = [...requiredAround, ...listOf(schema["required"])];
        const parts = listOf(schema["allOf"]).map((part) => this.sample(part, inner, required));
        const [option] = [...listOf(schema["oneOf"]), ...listOf(schema["anyOf"])];
        const types: unknown[] = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]];
        const type = types.find((candidate) => candidate !== "null");
        if (type === "array") {
            const { items, prefixItems = items } = schema;
            return (Array.isArray(prefixItems) ? prefixItems : [items ?? {}]).map((item) => this.sample(item, inner));
        }
        const [part] = parts.filter((each) => each !== null);
        if (part !== undefined && !isRecord(part) && !isRecord(schema["properties"])) {
            return part;
        }
        if (isRecord(schema["properties"]) || parts.length > 0 || type === "object") {
            const own = asRecord(schema["properties"]);
            const wanted = Object.entries(own).filter(([key, value]) => this.#isWanted(key, value, required));
            const values = wanted.map(([key, value]) => [key, this.sample(value, inner)] as const);
            return Object.assign({}, ...parts.filter(isRecord), Object.fromEntries(values)) as unknown;
        }
        if (option !== undefined) {
            return this.sample(option, inner);
        }
        const text = schema["format"] === "binary" ? "@file" : "<string>";
        return { string: text, integer: 123, number: 123, boolean: true }[String(type)] ?? {};
    }

    #isWanted(key: string, value: unknown, required: readonly unknown[]): boolean {
        const { isShort, without } = this.options;
        const isNeeded = isShort !== true || required.includes(key);
        return isNeeded && (without === undefined || !hasMark(this.document, value, without));
    }
}
