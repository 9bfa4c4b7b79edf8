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

/** An id of any format that can be shown, stored and put in a path. */
export function decodeId(object: JsonObject, key: string): string {
    const value = decodeString(object, key);
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

/** `{ key: value }`, or `{}` when the field is left out or null: for fields that the contract does not promise. */
export function optionalField<Key extends string, T>(
    object: JsonObject,
    key: Key,
    decode: (object: JsonObject, key: string) => T | undefined,
): { [K in Key]?: T } {
    const value = (object[key] ?? null) === null ? undefined : decode(object, key);
    return value === undefined ? {} : ({ [key]: value } as { [K in Key]?: T });
}

/** For fields whose type the contract leaves open: what is not a finite number is no reason to lose a job. */
export function decodeNumberOrNothing(object: JsonObject, key: string): number | undefined {
    const value = object[key];
    return typeof value === "number" && Number.isFinite(value) ? value : undefined;
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
