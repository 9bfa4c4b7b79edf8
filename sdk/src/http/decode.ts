/** Describes the problem with a response. The caller adds the call to the description. Never shows a value. */
export class DecodeProblem extends Error {}

export type JsonObject = Readonly<Record<string, unknown>>;

function kindOf(value: unknown): string {
    if (value === undefined) {
        return "nothing";
    }
    if (value === null) {
        return "null";
    }
    if (value === "") {
        return "an empty string";
    }
    return Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
}

function wrong(key: string, expected: string, value: unknown): DecodeProblem {
    return new DecodeProblem(`"${key}" must be ${expected}, got ${kindOf(value)}`);
}

export function decodeObject(value: unknown, what = "the answer"): JsonObject {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
        throw new DecodeProblem(`${what} must be a JSON object, got ${kindOf(value)}`);
    }
    return value as JsonObject;
}

export function decodeString(object: JsonObject, key: string): string {
    const value = object[key];
    if (typeof value !== "string" || value === "") {
        throw wrong(key, "a non-empty string", value);
    }
    return value;
}

/** Makes server text safe to show: one line, bounded, without secrets. */
export type Clean = (text: string) => string;

/** Returns a string, cleaned so that it is safe to show. */
export function decodeText(object: JsonObject, key: string, clean: Clean): string {
    const value = clean(decodeString(object, key));
    if (value === "") {
        throw new DecodeProblem(`"${key}" must be a string of printable characters, got none`);
    }
    return value;
}

/** A missing field is null. */
export function decodeNullableText(object: JsonObject, key: string, clean: Clean): string | null {
    const value = decodeNullableString(object, key);
    return value === null ? null : clean(value);
}

/**
 * Decodes an id that can be shown, stored and put into a path. The contract does not specify the type of ids: numbers
 * are allowed.
 */
export function decodeId(object: JsonObject, key: string, clean: Clean): string {
    const value = Number.isSafeInteger(object[key]) ? `${object[key] as number}` : decodeString(object, key);
    const isShowable = value.length <= 500 && !/\p{C}/u.test(value) && clean(`[${value}]`) === `[${value}]`;
    if (!isShowable || value === "." || value === "..") {
        throw new DecodeProblem(`"${key}" must be an id, got another string`);
    }
    return value;
}

/** A missing field is null. */
function decodeNullableString(object: JsonObject, key: string): string | null {
    const value = object[key] ?? null;
    if (value !== null && typeof value !== "string") {
        throw wrong(key, "a string or null", value);
    }
    return value;
}

/** Accepts only RFC 3339, which is short and safe to show. */
export function decodeDateTime(object: JsonObject, key: string): string {
    const value = decodeString(object, key);
    if (!dateTime.test(value) || Number.isNaN(Date.parse(value))) {
        throw new DecodeProblem(`"${key}" must be a date-time (RFC 3339), got another string`);
    }
    return value;
}

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** A missing field is null. */
export function decodeNullableDateTime(object: JsonObject, key: string): string | null {
    return (object[key] ?? null) === null ? null : decodeDateTime(object, key);
}

/**
 * Returns `{ key: value }`, or `{}` if the field is missing, null or invalid: an invalid field that the contract does
 * not promise must not fail a job.
 */
export function optionalField<Key extends string, T>(
    object: JsonObject,
    key: Key,
    decode: (object: JsonObject, key: string) => T,
): { [K in Key]?: T } {
    try {
        return { [key]: decode(object, key) } as { [K in Key]?: T };
    } catch (error) {
        if (error instanceof DecodeProblem) {
            return {};
        }
        throw error;
    }
}

/** Decodes each object of a list. @param what - names an entry in messages @default each of the list */
export function decodeList<T>(
    object: JsonObject,
    key: string,
    decode: (entry: JsonObject) => T,
    what = `each of ${key}`,
): T[] {
    const list = object[key];
    if (!Array.isArray(list)) {
        throw wrong(key, "an array", list);
    }
    return list.map((entry) => decode(decodeObject(entry, what)));
}

export function decodeNumber(object: JsonObject, key: string): number {
    const value = object[key];
    if (typeof value !== "number" || !Number.isFinite(value)) {
        throw wrong(key, "a number", value);
    }
    return value;
}

export function decodeSize(object: JsonObject, key: string): number {
    const value = object[key];
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
        throw wrong(key, "a whole number that is not negative", value);
    }
    return value;
}

/** Longer than any presigned link, and short enough for a state. */
const maxLinkLength = 16 * 1024;

/** An http(s) URL. */
export function decodeLink(object: JsonObject, key: string): string {
    const value = decodeString(object, key);
    if (value.length > maxLinkLength || /[\s\p{C}]/u.test(value)) {
        throw new DecodeProblem(`"${key}" must be an http(s) address, got another string`);
    }
    if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
        throw new DecodeProblem(`"${key}" must be an http(s) address, got another string`);
    }
    return value;
}
