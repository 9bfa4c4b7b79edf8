import { jsonOf, parseJson } from "../../text/json-text.js";

/** Where and how a value is written into a request, as in an OpenAPI parameter; the request form does the same. */
export interface ParameterStyle {
    readonly name: string;
    /** `path`, `query`, `querystring` for all of it, `header`, `cookie`, or `body` for a field of a form. */
    readonly in: string;
    readonly style?: string;
    readonly explode?: boolean;
    readonly allowReserved?: boolean;
    /** The type of a form's part, or of a value that is JSON as a whole. */
    readonly type?: string;
    /** What readers enter: items with commas between them, or JSON. */
    readonly kind?: "list" | "object";
}

/** A value that readers enter into the request form. */
export interface RequestField extends ParameterStyle {
    readonly required?: boolean;
    readonly value?: string;
    readonly options?: readonly string[];
    /** A prefix of the reader's value, such as `Bearer `. */
    readonly prefix?: string;
    readonly secret?: boolean;
    /** Whether readers choose one file or several, if the field is for files. */
    readonly file?: "one" | "several";
}

const separators: Readonly<Record<string, string>> = { spaceDelimited: "%20", pipeDelimited: "%7C" };

/**
 * Writes a value as `name=value` pairs, or without its name in a path or header. Follows the tables of OpenAPI 3.1 and
 * RFC 6570, with all characters encoded that a URL cannot contain. Empty for a list or an object without content.
 */
export function serialise(parameter: ParameterStyle, given: unknown): string {
    const { in: place, allowReserved = false, type = "" } = parameter;
    const isWhole = place === "querystring";
    const isNamed = place !== "path" && place !== "header";
    const { style = isNamed ? "form" : "simple", explode = style === "form" || style === "deepObject" } = parameter;
    const encode = (text: string) =>
        place === "header" ? text : allowReserved ? withReserved(text) : encodeURIComponent(text.toWellFormed());
    const write = (value: unknown) => encode(plainText(value));
    const name = encodeURIComponent(parameter.name.toWellFormed());
    const value = isJson(type) ? plainText(given) : given;
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
    const pairs =
        isWhole && !isObject
            ? items
            : explode
              ? items.map((item) => (isObject ? item : `${name}=${item}`))
              : [`${name}=${items.join(separators[style] ?? ",")}`];
    if (style === "matrix") {
        return pairs.map((pair) => `;${pair}`).join("");
    }
    if (style === "label") {
        return `.${items.join(explode ? "." : ",")}`;
    }
    return isNamed ? pairs.join(place === "cookie" ? "; " : "&") : items.join(",");
}

/** The texts of a field in a form with parts: each item of a list is a part, unless the list is JSON. */
export function partTexts(value: unknown, type = ""): string[] {
    return (isJson(type) ? [value] : [value].flat()).map(plainText);
}

/** What a reader entered, as the value that is sent. */
export function enteredValue({ kind, type = "" }: ParameterStyle, text: string): unknown {
    if (kind === undefined || isJson(type)) {
        return text;
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

/** A text as it is, and other values as JSON. */
export function plainText(value: unknown): string {
    return typeof value === "string" ? value : (jsonOf(value) ?? "");
}

export function isJson(type: string): boolean {
    return /[/+]json\b/i.test(type);
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
