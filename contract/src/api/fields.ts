/** Describes the problem with a response. The caller adds the call to the description. Never shows a value. */
export class DecodeProblem extends Error {}

/** Makes server text safe to show: one line, bounded, without secrets. */
export type Clean = (text: string) => string;

/** @param what - the value in messages, such as `"status"` @throws DecodeProblem */
export type Decoder<T> = (value: unknown, what: string, clean: Clean) => T;

type Schema = Readonly<Record<string, unknown>>;

/** `sent` is not promised by the contract, but our service always sends it. `optional` is sent at times. */
type Presence = "promised" | "sent" | "optional";

/** A value of the API: what our service sends, as JSON Schema, and how a client reads what any platform sends. */
export interface Field<Sent = unknown, Read = Sent, When extends Presence = Presence> {
    readonly schema: Schema;
    readonly read: Decoder<Read>;
    readonly presence: When;
    /** Only a type: the values that our service sends. */
    readonly sent?: Sent;
}

export type Fields = Readonly<Record<string, Field>>;

/** The value that our service sends in a field. */
export type SentOf<Member> = Member extends Field<infer T, unknown> ? T : never;

/**
 * The names of the fields with a certain presence. Programs without a TypeScript of their own are compiled by Pulumi's,
 * 3.8, which knows no `as` in mapped types; `Pick` keeps the doc comments of a table.
 */
type NameWith<When extends Presence, Table extends Fields> = {
    [Name in keyof Table]: Table[Name]["presence"] extends When ? Name : never;
}[keyof Table];

/** The object that our service sends by a table of fields. */
type Sent<Table extends Fields> = {
    [Name in keyof Pick<Table, Exclude<keyof Table, NameWith<"optional", Table>>>]: SentOf<Table[Name]>;
} & {
    [Name in keyof Pick<Table, NameWith<"optional", Table>>]?: SentOf<Table[Name]>;
};

type ReadOf<Member> = Member extends Field<unknown, infer T> ? T : never;

/** The object that a client reads by a table of fields. */
export type Received<Table extends Fields> = {
    [Name in keyof Pick<Table, NameWith<"promised", Table>>]: ReadOf<Table[Name]>;
} & {
    [Name in keyof Pick<Table, Exclude<keyof Table, NameWith<"promised", Table>>>]?: NonNullable<ReadOf<Table[Name]>>;
};

/**
 * A field that the contract does not promise. A client leaves it out if it is missing, null or invalid, because such a
 * field must not fail a job.
 */
export function unpromised<S, R>(field: Field<S, R>): Field<S, R, "sent"> {
    return { ...field, presence: "sent" };
}

/** The same for a field that our service sends only at times. */
export function optional<S, R>(field: Field<S, R>): Field<S, R, "optional"> {
    return { ...field, presence: "optional" };
}

export function object<Table extends Fields>(
    table: Table,
    description?: string,
): Field<Sent<Table>, Received<Table>, "promised"> {
    const members = Object.entries(table);
    const schema = {
        ...{ type: "object", additionalProperties: false, ...(description !== undefined && { description }) },
        properties: Object.fromEntries(members.map(([name, field]) => [name, field.schema])),
        required: members.filter(([, { presence }]) => presence !== "optional").map(([name]) => name),
    };
    return field(schema, (value, what, clean) => {
        if (typeof value !== "object" || value === null || Array.isArray(value)) {
            throw wrong(what, "a JSON object", value);
        }
        const found = members.flatMap(([name, { presence, read }]) => {
            const given = (value as Record<string, unknown>)[name];
            const readMember = () => [name, read(given, `"${name}"`, clean)] as const;
            if (presence === "promised") {
                return [readMember()];
            }
            return (given ?? null) === null ? [] : unlessInvalid(readMember);
        });
        return Object.fromEntries(found) as Received<Table>;
    });
}

function field<S, R>(schema: Schema, read: Decoder<R>): Field<S, R, "promised"> {
    return { schema, read, presence: "promised" };
}

/** Reads one field of an object. */
export function member<T>(name: string, given: Field<unknown, T, "promised">) {
    return readAs(object({ [name]: given }), (found) => found[name] as T);
}

/** Reads the body of an answer. */
export function answer<T>({ read }: Field<unknown, T>): (body: unknown, clean: Clean) => T {
    return (body, clean) => read(body, "the answer", clean);
}

/** A client reads the field in another form than our service sends it. */
export function readAs<S, R, T>({ schema, read }: Field<S, R>, form: (value: R, clean: Clean) => T) {
    return field<S, T>(schema, (value, what, clean) => form(read(value, what, clean), clean));
}

/** Returns the decoded value in an array, or an empty array if the value is invalid. */
function unlessInvalid<T>(decode: () => T): T[] {
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
export function nullable<S, R>({ schema, read }: Field<S, R>) {
    return field<S | null, R | null>({ ...schema, type: [schema["type"], "null"] }, (value, what, clean) =>
        (value ?? null) === null ? null : read(value, what, clean),
    );
}

export function list<S, R>({ schema, read }: Field<S, R>, description?: string) {
    return kind<R[], S[]>({ type: "array", items: schema }, (value, what, clean) =>
        entriesOf(value, what).map((entry) => read(entry, `each of ${what}`, clean)),
    )(description);
}

/** A list from which a client reads at most `maxItems` entries, without invalid ones. */
export function firstOf<S, R>(maxItems: number, { schema, read }: Field<S, R>, description: string) {
    return kind<R[], S[]>({ type: "array", items: schema, maxItems }, (value, what, clean) => {
        const entries = entriesOf(value, what).slice(0, maxItems);
        return entries.flatMap((entry) => unlessInvalid(() => read(entry, what, clean)));
    })(description);
}

function entriesOf(value: unknown, what: string): unknown[] {
    if (!Array.isArray(value)) {
        throw wrong(what, "an array", value);
    }
    return value;
}

/** Returns a function that declares fields of a kind, each with its description and further rules of our service. */
export function kind<R, S = R>(schema: Schema, read: Decoder<R>) {
    return (description?: string, rules: Schema = {}) =>
        field<S, R>({ ...schema, ...(description !== undefined && { description }), ...rules }, read);
}

/** A client passes an unknown value on unchanged. */
export function oneOf<Value extends string>(values: readonly Value[], description: string) {
    const { schema, read } = text(description, { enum: [...values] });
    return field<Value, Value | (string & {})>(schema, read);
}

const readString: Decoder<string> = (value, what) => {
    if (typeof value !== "string" || value === "") {
        throw wrong(what, "a non-empty string", value);
    }
    return value;
};

/** A string that is not cleaned, because it is not shown. */
export const string = kind({ type: "string" }, readString);

/** A string, cleaned so that it is safe to show. */
export const text = kind({ type: "string" }, (value, what, clean) => {
    const shown = clean(readString(value, what, clean));
    if (shown === "") {
        throw new DecodeProblem(`${what} must be a string of printable characters, got none`);
    }
    return shown;
});

/** The same for a string that may be empty. */
export const anyText = kind({ type: "string" }, (value, what, clean) => {
    if (typeof value !== "string") {
        throw wrong(what, "a string or null", value);
    }
    return clean(value);
});

/** An id that can be shown, stored and put into a path. The contract does not specify its type: it may be a number. */
export const id = kind({ type: "string" }, (value, what, clean) => {
    const given = Number.isSafeInteger(value) ? `${value as number}` : readString(value, what, clean);
    const isShowable = given.length <= 500 && !/\p{C}/u.test(given) && clean(`[${given}]`) === `[${given}]`;
    if (!isShowable || given === "." || given === "..") {
        throw new DecodeProblem(`${what} must be an id, got another string`);
    }
    return given;
});

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** Accepts only RFC 3339, which is short and safe to show. */
export const dateTime = kind({ type: "string", format: "date-time" }, (value, what, clean) => {
    const given = readString(value, what, clean);
    if (!rfc3339.test(given) || Number.isNaN(Date.parse(given))) {
        throw new DecodeProblem(`${what} must be a date-time (RFC 3339), got another string`);
    }
    return given;
});

const readNumber: Decoder<number> = (value, what) => {
    if (typeof value !== "number" || !Number.isFinite(value)) {
        throw wrong(what, "a number", value);
    }
    return value;
};

export const number = kind({ type: "number" }, readNumber);

/** A whole number, which a client does not rely on. */
export const integer = kind({ type: "integer" }, readNumber);

export const size = kind({ type: "integer", minimum: 0 }, (value, what) => {
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
        throw wrong(what, "a whole number that is not negative", value);
    }
    return value;
});

/** Everything but true is false. */
export const flag = kind({ type: "boolean" }, (value) => value === true);

/** Longer than any presigned link, and short enough for a state. */
const maxLinkLength = 16 * 1024;

/** An http(s) URL. */
export const link = kind({ type: "string", format: "uri" }, (value, what, clean) => {
    const given = readString(value, what, clean);
    const isShort = given.length <= maxLinkLength && !/[\s\p{C}]/u.test(given);
    if (!isShort || !URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) {
        throw new DecodeProblem(`${what} must be an http(s) address, got another string`);
    }
    return given;
});

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
