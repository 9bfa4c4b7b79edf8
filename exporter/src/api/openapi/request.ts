import { parseJson, plainText } from "../../text/json-text.js";

export type Header = readonly [name: string, value: string];

/** A part of a `multipart` body: a text or a file. */
export interface RequestPart {
    readonly name: string;
    readonly text?: string;
    /** The file's name; in browsers, the file itself. */
    readonly file?: string;
    readonly type?: string;
    readonly headers?: readonly Header[];
}

/** The body of a request, as text, as a file, or as the parts of a form. */
export interface RequestBody {
    readonly type: string;
    readonly text?: string;
    readonly file?: string;
    readonly parts?: readonly RequestPart[];
}

/** A request, in the style of an HTTP archive. All examples print it, and "Try it" sends it. */
export interface ApiRequest {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly Header[];
    readonly body: RequestBody | undefined;
}

/** Where and how a value is written into a request, as in an OpenAPI parameter, and how readers enter it. */
export interface RequestField {
    readonly name: string;
    /** `path`, `query`, `querystring` for all of it, `header`, `cookie`, or `body` for a field of a form. */
    readonly in: string;
    readonly style?: string;
    readonly explode?: boolean;
    readonly allowReserved?: boolean;
    /** The type of a form's part, or of a value that is JSON as a whole. */
    readonly type?: string;
    /** The headers of a form's part. */
    readonly headers?: readonly Header[];
    /** What readers enter: items with commas between them, or JSON. */
    readonly kind?: "list" | "object";
    readonly required?: boolean;
    /** The text that readers find in the form. */
    readonly value?: string;
    readonly options?: readonly string[];
    /** A prefix of the value, such as `Bearer `. */
    readonly prefix?: string;
    readonly secret?: boolean;
    /** Whether readers choose one file or several, if the field is for files. */
    readonly file?: "one" | "several";
}

/** A field with its value; undefined values are not sent. */
export interface FilledField {
    readonly field: RequestField;
    readonly value: unknown;
}

/** @param to the method, the server's address and the path with its variables */
export function requestOf(
    { method, url, path }: Readonly<Record<"method" | "url" | "path", string>>,
    fields: readonly FilledField[],
    body: RequestBody | undefined,
): ApiRequest {
    const query: string[] = [];
    const cookies: string[] = [];
    const headers: Header[] = [];
    let address = url + path;
    for (const { field, value } of fields) {
        const text = value === undefined ? "" : serialise(field, value);
        if (field.in === "path") {
            address = address.replaceAll(`{${field.name}}`, () => text);
        } else if (text !== "" && field.in === "header") {
            headers.push([field.name, (field.prefix ?? "") + text]);
        } else if (text !== "") {
            (field.in === "cookie" ? cookies : query).push(text);
        }
    }
    if (cookies.length > 0) {
        headers.push(["Cookie", cookies.join("; ")]);
    }
    if (body !== undefined && body.parts === undefined) {
        headers.push(["Content-Type", body.type]);
    }
    const first = address.includes("?") ? "&" : "?";
    return { method, url: address + query.map((pair, at) => (at === 0 ? first : "&") + pair).join(""), headers, body };
}

/** The body of a form with the values of its fields; the value of a field for files is one file or several. */
export function formBody(type: string, fields: readonly FilledField[]): RequestBody {
    const filled = fields.filter(({ value }) => value !== undefined);
    if (!isMultipart(type)) {
        // As in browsers, such a form contains only the names of files.
        const pairs = filled.map(({ field, value }) => serialise(field, field.file ? namesOf(value) : value));
        return { type, text: pairs.filter((pair) => pair !== "").join("&") };
    }
    const parts = filled.flatMap(({ field: { name, type: typeOfPart, headers, file, style }, value }) => {
        // Each item of a list is a part, unless the list is JSON.
        const items = file === undefined && isJson(typeOfPart) ? [value] : [value].flat();
        return items.map((item) => {
            const isOwnJson = file === undefined && style === undefined && typeof item === "object" && item !== null;
            const typeOfItem = typeOfPart ?? (isOwnJson ? "application/json" : undefined);
            const about = { name, ...(typeOfItem !== undefined && { type: typeOfItem }), ...(headers && { headers }) };
            return file === undefined ? { ...about, text: plainText(item) } : { ...about, file: item as string };
        });
    });
    return { type, parts };
}

/** The names of chosen files; code samples have names only. */
function namesOf(value: unknown): unknown {
    return Array.isArray(value) ? value.map(namesOf) : ((value as { name?: string }).name ?? value);
}

/** A body as texts and files that follow each other, with the type that names the boundary of its parts. */
export function piecesOf({ type, text = "", file, parts }: RequestBody): {
    readonly type: string;
    readonly pieces: readonly (string | { readonly file: string })[];
} {
    if (parts === undefined) {
        return { type, pieces: [file === undefined ? text : { file }] };
    }
    let boundary = "boundary";
    while (parts.some((part) => part.text?.includes(boundary))) {
        boundary += "-1";
    }
    const label = (given: string) => given.replace(/["\r\n]/g, (each) => encodeURIComponent(each));
    const pieces: (string | { readonly file: string })[] = [];
    let before = "";
    for (const part of parts) {
        const named = part.file === undefined ? "" : `; filename="${label(nameOfFile(part.file))}"`;
        const typeOfPart = part.type ?? (part.file === undefined ? undefined : "application/octet-stream");
        const headers = [
            ["Content-Disposition", `form-data; name="${label(part.name)}"${named}`],
            ...(typeOfPart === undefined ? [] : [["Content-Type", typeOfPart]]),
            ...(part.headers ?? []),
        ];
        before += `--${boundary}\r\n${headers.map((header) => `${header.join(": ")}\r\n`).join("")}\r\n${part.text ?? ""}`;
        if (part.file !== undefined) {
            pieces.push(before, { file: part.file });
            before = "";
        }
        before += "\r\n";
    }
    return { type: `${type}; boundary=${boundary}`, pieces: [...pieces, `${before}--${boundary}--\r\n`] };
}

function nameOfFile(file: string | { readonly name: string }): string {
    return typeof file === "string" ? file : file.name;
}

const separators: Readonly<Record<string, string>> = { spaceDelimited: "%20", pipeDelimited: "%7C" };

/** The styles that write each item or key separately, unless the document says otherwise. */
const explodedStyles: ReadonlySet<string> = new Set(["form", "deepObject", "cookie"]);

/**
 * Writes a value as `name=value` pairs, or without its name in a path or header. Follows the tables of OpenAPI 3.2 and
 * RFC 6570, with all characters encoded that a URL cannot contain; headers and cookies of the style `cookie` are not
 * encoded. Empty for a list or an object without content.
 */
export function serialise(field: RequestField, given: unknown): string {
    const { in: place, allowReserved = false } = field;
    const isNamed = place !== "path" && place !== "header";
    const { style = isNamed ? "form" : "simple", explode = explodedStyles.has(style) } = field;
    const isPlain = place === "header" || style === "cookie";
    const encode = (text: string) =>
        isPlain ? text : allowReserved ? withReserved(text) : encodeURIComponent(text.toWellFormed());
    const write = (value: unknown) => encode(plainText(value));
    const name = isPlain ? field.name : encodeURIComponent(field.name.toWellFormed());
    const value = isJson(field.type) ? plainText(given) : given;
    if (style === "deepObject" && typeof value === "object") {
        return deepPairs(name, value, write).join("&");
    }
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    const items = isObject
        ? Object.entries(value).flatMap(([key, item]) =>
              explode ? [`${encode(key)}=${write(item)}`] : [encode(key), write(item)],
          )
        : [value].flat().map(write);
    if (items.length === 0) {
        return "";
    }
    const isWhole = place === "querystring" && !isObject;
    const pairs = explode
        ? items.map((item) => (isObject || isWhole ? item : `${name}=${item}`))
        : [`${name}=${items.join(separators[style] ?? ",")}`];
    if (style === "matrix") {
        return pairs.map((pair) => `;${pair}`).join("");
    }
    if (style === "label") {
        return `.${items.join(explode ? "." : ",")}`;
    }
    return isNamed ? pairs.join(place === "cookie" ? "; " : "&") : items.join(",");
}

function deepPairs(name: string, value: unknown, write: (value: unknown) => string): string[] {
    if (typeof value !== "object" || value === null) {
        return [`${name}=${write(value)}`];
    }
    return Object.entries(value).flatMap(([key, item]) =>
        deepPairs(Array.isArray(value) ? name : `${name}%5B${encodeURIComponent(key)}%5D`, item, write),
    );
}

/** Keeps the reserved characters, except those that end the query (RFC 6570, section 3.2.3). */
function withReserved(text: string): string {
    return encodeURI(text.toWellFormed())
        .replace(/%25([\da-f]{2})/gi, "%$1")
        .replaceAll("#", "%23");
}

/** What a reader entered, as the value that is sent; undefined if the reader entered nothing. */
export function enteredValue({ kind, type }: RequestField, text: string): unknown {
    if (text === "" || kind === undefined || isJson(type)) {
        return text === "" ? undefined : text;
    }
    try {
        return /^\s*[[{]/.test(text) ? parseJson(text) : text.split(",").map((item) => item.trim());
    } catch {
        return text;
    }
}

/** The initial text in the form, which {@link enteredValue} reads. */
export function shownValue(value: unknown): string {
    const isSimple =
        Array.isArray(value) && value.every((item) => typeof item !== "object" && !/[,[{]/.test(String(item)));
    return isSimple ? value.join(",") : plainText(value);
}

export function isJson(type = ""): boolean {
    return /[/+]json\b/i.test(type);
}

export function isXml(type: string): boolean {
    return /[/+]xml\b/i.test(type);
}

/** Whether a body of this type is a form, whose fields are sent separately. */
export function isForm(type: string): boolean {
    return isMultipart(type) || /^application\/x-www-form-urlencoded\b/i.test(type);
}

function isMultipart(type: string): boolean {
    return /^multipart\//i.test(type);
}
