import { type ApiDisplay } from "../../read/settings/site-settings.js";
import { asRecord, isPlain } from "../../text/json-values.js";
import { type ApiOperation } from "./api-document.js";
import { resolveReference } from "../documents/references.js";
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
    const headers = credentialsOf(operation)
        .filter((field) => field.in === "header")
        .map(({ name, prefix = "" }): [string, string] => [name, prefix + (placeholders[prefix] ?? "<api-key>")]);
    if (type !== undefined) {
        headers.push(["Content-Type", type]);
    }
    return {
        method: method.toUpperCase(),
        url: baseUrlOf(operation) + path,
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
            return typeof value === "string" ? value : whole;
        })
        .replace(/\/+$/, "");
}

/** The reader's credentials, for the operation's first way to authenticate. */
export function credentialsOf(operation: ApiOperation): RequestField[] {
    const [schemes = []] = securityOf(operation);
    return schemes.flatMap(({ scheme }): RequestField[] => {
        const given = scheme["x-default"];
        // The field's initial value, as in Mintlify.
        const value = isPlain(given) ? { value: String(given) } : {};
        if (scheme["type"] === "apiKey") {
            const { name, in: place } = scheme;
            return typeof name === "string" && (place === "header" || place === "query")
                ? [{ name, in: place, secret: true, ...value }]
                : [];
        }
        const prefix = scheme["type"] === "http" && scheme["scheme"] === "basic" ? "Basic " : "Bearer ";
        return [{ name: "Authorization", in: "header", secret: true, prefix, ...value }];
    });
}

/** The placeholder for a reader's credentials in examples. */
const placeholders: Readonly<Record<string, string>> = { "Basic ": "<credentials>", "Bearer ": "<token>" };
