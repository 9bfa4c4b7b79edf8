import { escapeHtml } from "../../text/html-text.js";
import { isPlain, listOf } from "../../text/json-values.js";
import { type HasRoot, type Json, resolveReference } from "../document/references.js";

/** The data of a request that its form needs. */
export interface TryIt {
    readonly method: string;
    readonly url: string;
    readonly path: string;
    readonly fields: readonly TryItField[];
    /** As JSON; absent for a request without a body. */
    readonly body?: string;
    readonly bodyType?: string;
}

export interface TryItField {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly value?: string;
    readonly options?: readonly string[];
    /** Stands before what the reader enters, such as `Bearer `. */
    readonly prefix?: string;
    readonly secret?: boolean;
}

/** The place of the form: the script fills it, so that nobody sees a form that cannot send. */
export function tryItHtml(request: TryIt): string {
    return `<div class="try-it" data-request="${escapeHtml(JSON.stringify(request))}"></div>`;
}

export function fieldOfParameter(document: HasRoot, parameter: Json): TryItField[] {
    const { name, in: place, required, example } = parameter;
    // A browser does not let a page set cookies or these headers on a request.
    const isForbidden = place === "header" && /^(?:cookie|host|origin|referer|content-length)$/i.test(String(name));
    if (typeof name !== "string" || typeof place !== "string" || place === "cookie" || isForbidden) {
        return [];
    }
    const schema = resolveReference(document, parameter["schema"]) ?? {};
    const value = example ?? schema["example"] ?? schema["x-default"] ?? schema["default"];
    const options =
        schema["type"] === "boolean" ? ["true", "false"] : listOf(schema["enum"]).filter(isPlain).map(String);
    return [
        {
            name,
            in: place,
            ...((required === true || place === "path") && { required: true }),
            ...(isPlain(value) && { value: String(value) }),
            ...(options.length > 0 && { options }),
        },
    ];
}

/** `x-default` of Mintlify's is what the field has at first. */
export function fieldOfScheme(scheme: Json): TryItField[] {
    const given = scheme["x-default"];
    const value = isPlain(given) ? { value: String(given) } : {};
    if (scheme["type"] === "apiKey") {
        const { name, in: place } = scheme;
        return typeof name === "string" && (place === "header" || place === "query")
            ? [{ name, in: place, secret: true, ...value }]
            : [];
    }
    const isBasic = scheme["type"] === "http" && scheme["scheme"] === "basic";
    return [{ name: "Authorization", in: "header", secret: true, prefix: isBasic ? "Basic " : "Bearer ", ...value }];
}
