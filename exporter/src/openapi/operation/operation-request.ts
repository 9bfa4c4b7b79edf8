import { type ApiDisplay } from "../../settings/site-settings.js";
import { asRecord } from "../../text/json-values.js";
import { type ApiOperation } from "../document/api-document.js";
import { type Json, resolveReference } from "../document/references.js";
import { contentOf } from "./body-content.js";
import { securityOf, serversOf } from "./operation-parts.js";
import { type ApiRequest } from "../samples/code-writers.js";
import { exampleOf } from "../samples/sample.js";

/** The request that examples of an operation send. */
export function requestOf(operation: ApiOperation, display: ApiDisplay): ApiRequest {
    const { document, method, path, node } = operation;
    const content = contentOf(resolveReference(document, node["requestBody"]));
    const [type] = Object.keys(content);
    const example =
        type === undefined ? undefined : exampleOf(document, content[type], { ...display, without: "readOnly" });
    const headers = schemesOf(operation).flatMap(headerOf);
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

/** The first server, with the default values of its variables. */
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

/** The first of the ways to authenticate, which examples take. */
export function schemesOf(operation: ApiOperation): Json[] {
    return (securityOf(operation)[0] ?? []).map(({ scheme }) => scheme);
}

function headerOf(scheme: Json): [string, string][] {
    if (scheme["type"] === "apiKey" && scheme["in"] === "header" && typeof scheme["name"] === "string") {
        return [[scheme["name"], "<api-key>"]];
    }
    if (scheme["type"] === "http" && scheme["scheme"] === "basic") {
        return [["Authorization", "Basic <credentials>"]];
    }
    return scheme["type"] === "apiKey" ? [] : [["Authorization", "Bearer <token>"]];
}
