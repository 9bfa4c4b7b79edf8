import { type ApiDisplay } from "../../read/settings/site-settings.js";
import { escapeHtml } from "../../text/html-text.js";
import { asRecord, isPlain, listOf } from "../../text/json-values.js";
import { type ApiOperation } from "./api-document.js";
import { type HasRoot, type Json, resolveReference } from "../documents/references.js";
import { isForm } from "./code-writers.js";
import { baseUrlOf, chosenSchemes, credentialsOf, requestOf, type RequestField } from "./try-it-request.js";
import { parametersIn } from "./parameters.js";

/** The place for the form, which a script inserts, so that nobody sees a form that does not work. */
export function formOf(operation: ApiOperation, display: ApiDisplay): string {
    const { document, path } = operation;
    const { method, body = "", bodyType } = requestOf(operation, display);
    const parameters = ["path", "query", "header"].flatMap((place) => parametersIn(operation, place));
    const parts = bodyType === undefined || !isForm(bodyType) ? [] : partsOf(operation, bodyType);
    const hasBody = method !== "GET" && method !== "HEAD" && bodyType !== undefined;
    const request = {
        method,
        url: baseUrlOf(operation),
        path,
        fields: [
            ...credentialsOf(operation),
            ...parameters.flatMap((parameter) => fieldOfParameter(document, parameter)),
        ],
        ...(hasBody && (parts.length > 0 ? { parts, bodyType } : { body, bodyType })),
        ...((display.sendsCookies || needsCookie(operation)) && { sendsCookies: true }),
    };
    return `<div class="try-it" data-request="${escapeHtml(JSON.stringify(request))}"></div>`;
}

const maxParts = 100;

/** A field for each part of a form, so that readers can choose files. */
function partsOf({ document, node }: ApiOperation, type: string): RequestField[] {
    const content = asRecord(resolveReference(document, node["requestBody"])?.["content"]);
    const schema = resolveReference(document, asRecord(content[type])["schema"]) ?? {};
    const required = new Set(listOf(schema["required"]));
    const given = asRecord(asRecord(content[type])["example"] ?? schema["example"]);
    return Object.entries(asRecord(schema["properties"]))
        .slice(0, maxParts)
        .map(([name, property]) => {
            const { items, ...own } = resolveReference(document, property) ?? {};
            const whole = resolveReference(document, items) ?? own;
            const isFile = whole["format"] === "binary" || whole["contentMediaType"] === "application/octet-stream";
            const value = given[name] ?? own["example"] ?? own["default"];
            return {
                name,
                in: "body",
                ...(required.has(name) && { required: true }),
                ...(isFile && { file: items === undefined ? "one" : "several" }),
                ...(isPlain(value) && !isFile && { value: String(value) }),
            };
        });
}

/** Only the browser can send a cookie: a page cannot set cookies of another site. */
function needsCookie(operation: ApiOperation): boolean {
    return (
        chosenSchemes(operation).some((scheme) => scheme["type"] === "apiKey" && scheme["in"] === "cookie") ||
        parametersIn(operation, "cookie").some(({ required }) => required === true)
    );
}

function fieldOfParameter(document: HasRoot, parameter: Json): RequestField[] {
    const { name, in: place, required, example } = parameter;
    // Browsers do not let a page set cookies or headers such as `host` on a request.
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
