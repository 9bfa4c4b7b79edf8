import { type ApiDisplay } from "../../read/settings/site-settings.js";
import { asRecord, isPlain } from "../../text/json-values.js";
import { type ApiOperation } from "./api-document.js";
import { type Json, resolveReference } from "../documents/references.js";
import { securityOf, serversOf } from "./operation-parts.js";
import { type ApiRequest } from "./code-writers.js";
import { exampleOf } from "../parts/sample.js";

/** A value that readers enter into the request form. */
export interface RequestField {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly value?: string;
    readonly options?: readonly string[];
    /** A prefix of the reader's value, such as `Bearer `. */
    readonly prefix?: string;
    readonly secret?: boolean;
    /** Whether readers choose one file or several, if the field is for files. */
    readonly file?: "one" | "several";
}

/** The request that an operation's example code sends. */
export function requestOf(operation: ApiOperation, display: ApiDisplay): ApiRequest {
    const { document, method, path, node } = operation;
    const content = asRecord(resolveReference(document, node["requestBody"])?.["content"]);
    const [type] = Object.keys(content);
    const example =
        type === undefined ? undefined : exampleOf(document, content[type], { ...display, without: "readOnly" });
    const credentials = chosenSchemes(operation).flatMap((scheme) => credentialOf(scheme) ?? []);
    const headers = credentials
        .filter((each) => each.in !== "query")
        .map(({ name, in: place, prefix }): [string, string] =>
            place === "cookie"
                ? ["Cookie", `${name}=<api-key>`]
                : [name, prefix === undefined ? "<api-key>" : prefix + (placeholders[prefix] ?? "<token>")],
        );
    const query = credentials
        .filter((each) => each.in === "query")
        .map(({ name }) => `${encodeURIComponent(name.toWellFormed())}=<api-key>`);
    if (type !== undefined) {
        headers.push(["Content-Type", type]);
    }
    return {
        method: method.toUpperCase(),
        url: baseUrlOf(operation) + path + (query.length === 0 ? "" : `?${query.join("&")}`),
        headers,
        body: example === undefined ? undefined : JSON.stringify(example, undefined, 2),
        bodyType: type,
    };
}

/** The first server, with its variables' default values. */
export function baseUrlOf(operation: ApiOperation): string {
    const [server] = serversOf(operation);
    const variables = asRecord(server?.["variables"]);
    const url = typeof server?.["url"] === "string" ? server["url"] : "https://api.example.com";
    return url
        .replace(/\{([\w-]+)\}/g, (whole, name: string) => {
            const value = asRecord(variables[name])["default"];
            return isPlain(value) ? String(value) : whole;
        })
        .replace(/\/+$/, "");
}

/** The fields for the reader's credentials. A browser does not let a page set a cookie of another host. */
export function credentialsOf(operation: ApiOperation): RequestField[] {
    return chosenSchemes(operation)
        .flatMap((scheme) => credentialOf(scheme) ?? [])
        .filter((field) => field.in !== "cookie");
}

/** The first way to authenticate that a page can send, or else the first way at all; no way at all comes last. */
export function chosenSchemes(operation: ApiOperation): Json[] {
    const choices = securityOf(operation)
        .map((choice) => choice.map(({ scheme }) => scheme))
        .filter((schemes) => schemes.length > 0);
    const isSendable = (scheme: Json) => (credentialOf(scheme)?.in ?? "cookie") !== "cookie";
    return choices.find((schemes) => schemes.every(isSendable)) ?? choices[0] ?? [];
}

/** Where a scheme's credential belongs; undefined for a client certificate and for unknown places. */
function credentialOf(scheme: Json): RequestField | undefined {
    const { type, name, in: place, "x-default": given } = scheme;
    // The field's initial value, as in Mintlify.
    const value = isPlain(given) ? { value: String(given) } : {};
    if (type === "apiKey") {
        const isKnown = place === "header" || place === "query" || place === "cookie";
        return typeof name === "string" && isKnown ? { name, in: place, secret: true, ...value } : undefined;
    }
    if (type === "mutualTLS") {
        return undefined;
    }
    // The names of HTTP schemes are not case-sensitive (RFC 9110, section 11.1).
    const written = type === "http" && typeof scheme["scheme"] === "string" ? scheme["scheme"] : "bearer";
    const known = ["Basic", "Bearer"].find((each) => each.toLowerCase() === written.toLowerCase());
    return { name: "Authorization", in: "header", secret: true, prefix: `${known ?? written} `, ...value };
}

/** The placeholder for a reader's credentials in examples. */
const placeholders: Readonly<Record<string, string>> = { "Basic ": "<credentials>" };
