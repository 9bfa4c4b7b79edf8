/** Says what is wrong with a decoded answer; the caller knows which call it was. Never shows a value. */
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

/** An id of any format that can be shown, stored and put in a path. The contract leaves its type open: numbers count. */
export function decodeId(object: JsonObject, key: string): string {
    const value = Number.isSafeInteger(object[key]) ? `${object[key] as number}` : decodeString(object, key);
    if (/\p{C}/u.test(value) || value.length > 500 || value === "." || value === "..") {
        throw new DecodeProblem(`"${key}" must be an id, got another string`);
    }
    return value;
}

/** A field that is left out counts as null. */
export function decodeNullableString(object: JsonObject, key: string): string | null {
    const value = object[key] ?? null;
    if (value !== null && typeof value !== "string") {
        throw wrong(key, "a string or null", value);
    }
    return value;
}

export function decodeDateTime(object: JsonObject, key: string): string {
    const value = decodeString(object, key);
    if (Number.isNaN(Date.parse(value))) {
        throw new DecodeProblem(`"${key}" must be a date-time, got another string`);
    }
    return value;
}

/** A field that is left out counts as null. */
export function decodeNullableDateTime(object: JsonObject, key: string): string | null {
    return (object[key] ?? null) === null ? null : decodeDateTime(object, key);
}

/**
 * `{ key: value }`, or `{}` when the field is left out, null or of no use. For fields that the contract does not promise:
 * a job is not lost over one of them.
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

/** An http(s) address. */
export function decodeLink(object: JsonObject, key: string): string {
    const value = decodeString(object, key);
    if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
        throw new DecodeProblem(`"${key}" must be an http(s) address, got another string`);
    }
    return value;
}
