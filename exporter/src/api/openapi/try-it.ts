import { type ApiDisplay } from "../../read/settings/site-settings.js";
import { escapeHtml } from "../../text/html-text.js";
import { type ApiOperation } from "./api-document.js";
import { baseUrlOf, parameterFields, partFields } from "./operation-request.js";
import { credentialChoices } from "./credentials.js";
import { parametersIn } from "./parameters.js";
import { type ApiRequest } from "./request.js";

/** The place for the form, which a script inserts, so that nobody sees a form that does not work. */
export function formOf(operation: ApiOperation, { method, body }: ApiRequest, display: ApiDisplay): string {
    const choices = credentialChoices(operation);
    // Only the browser can send a cookie: a page cannot set cookies of another site.
    const needsCookie =
        choices[0]?.fields.some((field) => field.in === "cookie") === true ||
        parametersIn(operation, "cookie").some(({ required }) => required === true);
    const parts = partFields(operation);
    const ofBody = parts.length > 0 ? { parts } : body?.file === undefined ? { body: body?.text } : { file: true };
    const request = {
        method,
        url: baseUrlOf(operation),
        path: operation.path,
        credentials: choices.map(({ label, fields }) => ({
            label,
            fields: fields.filter((field) => field.in !== "cookie"),
        })),
        fields: parameterFields(operation),
        ...(body !== undefined && method !== "GET" && method !== "HEAD" && { bodyType: body.type, ...ofBody }),
        ...((display.sendsCookies || needsCookie) && { sendsCookies: true }),
    };
    return `<div class="try-it" data-request="${escapeHtml(JSON.stringify(request))}"></div>`;
}
