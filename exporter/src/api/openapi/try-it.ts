import { type ApiDisplay } from "../../read/settings/site-settings.js";
import { escapeHtml } from "../../text/html-text.js";
import { type ApiOperation } from "./api-document.js";
import { type ApiRequest, baseUrlOf, formFields, isForm, mediaOf, parameterFields } from "./api-request.js";
import { credentialChoices } from "./credentials.js";
import { parametersIn } from "./parameters.js";

/** The place for the form, which a script inserts, so that nobody sees a form that does not work. */
export function formOf(operation: ApiOperation, { method, body }: ApiRequest, display: ApiDisplay): string {
    const { document, path } = operation;
    const choices = credentialChoices(operation);
    // Only the browser can send a cookie: a page cannot set cookies of another site.
    const needsCookie =
        choices[0]?.fields.some((field) => field.in === "cookie") === true ||
        parametersIn(operation, "cookie").some(({ required }) => required === true);
    const media = mediaOf(operation)?.[1] ?? {};
    const parts = body === undefined || !isForm(body.type) ? [] : formFields(document, media);
    const request = {
        method,
        url: baseUrlOf(operation),
        path,
        credentials: choices.map(({ label, fields }) => ({
            label,
            fields: fields.filter((field) => field.in !== "cookie"),
        })),
        fields: parameterFields(operation),
        ...(body !== undefined &&
            method !== "GET" &&
            method !== "HEAD" && {
                bodyType: body.type,
                ...(parts.length > 0 ? { parts } : body.file === undefined ? { body: body.text } : { file: true }),
            }),
        ...((display.sendsCookies || needsCookie) && { sendsCookies: true }),
    };
    return `<div class="try-it" data-request="${escapeHtml(JSON.stringify(request))}"></div>`;
}
