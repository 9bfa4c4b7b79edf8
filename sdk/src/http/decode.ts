/** Describes the problem with a response. The caller adds the call to the description. Never shows a value. */
export class DecodeProblem extends Error {}

/** Makes server text safe to show: one line, bounded, without secrets. */
export type Clean = (text: string) => string;

/** @param what - the value in messages, such as `"status"` @throws DecodeProblem */
export type Decoder<T> = (value: unknown, what: string, clean: Clean) => T;

export interface OptionalField<T> {
    readonly optional: Decoder<T>;
}

type Fields = Readonly<Record<string, Decoder<unknown> | OptionalField<unknown>>>;

/** The object that a table of fields decodes. */
export type Decoded<Table extends Fields> = {
    [Name in keyof Table as Table[Name] extends Decoder<unknown> ? Name : never]: Table[Name] extends Decoder<infer T>
        ? T
        : never;
} & {
    [Name in keyof Table as Table[Name] extends Decoder<unknown> ? never : Name]?: Table[Name] extends OptionalField<
        infer T
    >
        ? T
        : never;
};

/**
 * A field that is left out if it is missing, null or invalid: an invalid field that the contract does not promise must
 * not fail a job.
 */
export function optional<T>(decode: Decoder<T>): OptionalField<T> {
    return { optional: decode };
}

export function fields<Table extends Fields>(table: Table): Decoder<Decoded<Table>> {
    return (value, what, clean) => {
        if (typeof value !== "object" || value === null || Array.isArray(value)) {
            throw new DecodeProblem(`${what} must be a JSON object, got ${kindOf(value)}`);
        }
        const found = Object.entries(table).map(([name, field]) => {
            const given = (value as Record<string, unknown>)[name];
            return typeof field === "function"
                ? [name, field(given, `"${name}"`, clean)]
                : [name, ...unlessInvalid(() => field.optional(given, `"${name}"`, clean))];
        });
        return Object.fromEntries(found.filter(({ length }) => length > 1)) as Decoded<Table>;
    };
}

/** Decodes one field of an object. */
export function field<T>(name: string, decode: Decoder<T>): Decoder<T> {
    return (value, what, clean) => fields({ [name]: decode })(value, what, clean)[name] as T;
}

/** Decodes the body of an answer. */
export function answer<T>(decode: Decoder<T>): (body: unknown, clean: Clean) => T {
    return (body, clean) => decode(body, "the answer", clean);
}

/** Returns the decoded value in an array, or an empty array if the value is invalid. */
export function unlessInvalid<T>(decode: () => T): T[] {
    try {
        return [decode()];
    } catch (error) {
        if (error instanceof DecodeProblem) {
            return [];
        }
        throw error;
    }
}

/** A missing value is null. */
export function nullable<T>(decode: Decoder<T>): Decoder<T | null> {
    return (value, what, clean) => ((value ?? null) === null ? null : decode(value, what, clean));
}

/** @param each - an entry in messages */
export function list<T>(decode: Decoder<T>, each?: string): Decoder<T[]> {
    return (value, what, clean) => {
        if (!Array.isArray(value)) {
            throw wrong(what, "an array", value);
        }
        return value.map((entry) => decode(entry, each ?? `each of ${what}`, clean));
    };
}

export const string: Decoder<string> = (value, what) => {
    if (typeof value !== "string" || value === "") {
        throw wrong(what, "a non-empty string", value);
    }
    return value;
};

/** A string, cleaned so that it is safe to show. */
export const text: Decoder<string> = (value, what, clean) => {
    const shown = clean(string(value, what, clean));
    if (shown === "") {
        throw new DecodeProblem(`${what} must be a string of printable characters, got none`);
    }
    return shown;
};

/** The same for a string that may be empty. */
export const cleaned: Decoder<string> = (value, what, clean) => {
    if (typeof value !== "string") {
        throw wrong(what, "a string or null", value);
    }
    return clean(value);
};

/** An id that can be shown, stored and put into a path. The contract does not specify its type: it may be a number. */
export const id: Decoder<string> = (value, what, clean) => {
    const given = Number.isSafeInteger(value) ? `${value as number}` : string(value, what, clean);
    const isShowable = given.length <= 500 && !/\p{C}/u.test(given) && clean(`[${given}]`) === `[${given}]`;
    if (!isShowable || given === "." || given === "..") {
        throw new DecodeProblem(`${what} must be an id, got another string`);
    }
    return given;
};

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** Accepts only RFC 3339, which is short and safe to show. */
export const dateTime: Decoder<string> = (value, what, clean) => {
    const given = string(value, what, clean);
    if (!rfc3339.test(given) || Number.isNaN(Date.parse(given))) {
        throw new DecodeProblem(`${what} must be a date-time (RFC 3339), got another string`);
    }
    return given;
};

export const number: Decoder<number> = (value, what) => {
    if (typeof value !== "number" || !Number.isFinite(value)) {
        throw wrong(what, "a number", value);
    }
    return value;
};

export const size: Decoder<number> = (value, what) => {
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
        throw wrong(what, "a whole number that is not negative", value);
    }
    return value;
};

/** Longer than any presigned link, and short enough for a state. */
const maxLinkLength = 16 * 1024;

/** An http(s) URL. */
export const link: Decoder<string> = (value, what, clean) => {
    const given = string(value, what, clean);
    const isShort = given.length <= maxLinkLength && !/[\s\p{C}]/u.test(given);
    if (!isShort || !URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) {
        throw new DecodeProblem(`${what} must be an http(s) address, got another string`);
    }
    return given;
};

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

function wrong(what: string, expected: string, value: unknown): DecodeProblem {
    return new DecodeProblem(`${what} must be ${expected}, got ${kindOf(value)}`);
}
