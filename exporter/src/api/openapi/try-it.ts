import { type ApiDisplay } from "../../read/settings/site-settings.js";
import { escapeHtml } from "../../text/html-text.js";
import { isPlain, listOf } from "../../text/json-values.js";
import { type ApiOperation } from "./api-document.js";
import { type HasRoot, type Json, resolveReference } from "../documents/references.js";
import { baseUrlOf, credentialsOf, requestOf, type RequestField } from "./operation-request.js";
import { parametersIn } from "./parameters.js";

/** The place of the form: the script fills it, so that nobody sees a form that does not work. */
export function formOf(operation: ApiOperation, display: ApiDisplay): string {
    const { document, path } = operation;
    const { method, body = "", bodyType } = requestOf(operation, display);
    const parameters = ["path", "query", "header"].flatMap((place) => parametersIn(operation, place));
    const hasBody = method !== "GET" && method !== "HEAD" && bodyType !== undefined;
    const request = {
        method,
        url: baseUrlOf(operation),
        path,
        fields: [
            ...credentialsOf(operation),
            ...parameters.flatMap((parameter) => fieldOfParameter(document, parameter)),
        ],
        ...(hasBody && { body, bodyType }),
    };
    return `<div class="try-it" data-request="${escapeHtml(JSON.stringify(request))}"></div>`;
}

function fieldOfParameter(document: HasRoot, parameter: Json): RequestField[] {
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
