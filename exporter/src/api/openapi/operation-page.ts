import { isDeepStrictEqual } from "node:util";
import { accordion } from "../../html/accordion.js";
import { escapeHtml } from "../../text/html-text.js";
import { type RenderedBody } from "../../html/rendered-body.js";
import { plainText } from "../../text/json-text.js";
import { asRecord, listOf, textOf } from "../../text/json-values.js";
import { type ApiOperation } from "./api-document.js";
import { isSentByBrowsers } from "./browser-headers.js";
import { operationsOf, entriesOf, type Json, resolveReference, nameOfReference } from "../documents/references.js";
import { ApiSections, deprecationOf } from "../parts/api-sections.js";
import { requestBodyExamples, requestExamples, responseExamples, responsesExamples } from "./operation-examples.js";
import { linksHtml, securityHtml, securityOf, serversHtml, serversOf } from "./operation-parts.js";
import { baseUrlOf, exampleRequest, parameterFields, partFields } from "./operation-request.js";
import { parameterHtml, parametersIn } from "./parameters.js";
import { linkOf, nameLine, sentence } from "../parts/schema-notes.js";
import { type ApiContext } from "../parts/api-context.js";
import { schemaOfMedia } from "../parts/sample.js";
import { SchemaView } from "../parts/schema-fields.js";
import { type SiteAddress } from "../../read/files/routes.js";
import { type ApiDisplay } from "../../read/settings/site-settings.js";
import { credentialChoices } from "./credentials.js";
import { type ApiRequest } from "./request.js";

const titlesOfParameters = {
    path: "Path parameters",
    query: "Query parameters",
    querystring: "Query string",
    header: "Headers",
    cookie: "Cookies",
};

/**
 * Adds an operation to its page: method and address, code, authentication, parameters, bodies and responses.
 * @param hasForm whether readers may send requests from the page
 */
export function renderOperation(
    operation: ApiOperation,
    body: RenderedBody,
    context: ApiContext,
    hasForm: boolean,
): RenderedBody {
    const { document, method, path, node, description, isWebhook } = operation;
    const view = new SchemaView(document, context);
    const sections = new ApiSections(view);
    const address =
        context.display.hasWholeAddress === true && !isWebhook ? baseUrlOf(operation, context.site) + path : path;
    const about = [
        addressLine(method, address, deprecationOf(node)),
        view.textHtml(description, 2),
        view.wordsOf(operation.pathItem, 2),
    ].join("\n");
    const ofResponses = responsesExamples(node["responses"], view);
    const requestBody = resolveReference(document, node["requestBody"]) ?? {};
    const request = isWebhook ? undefined : exampleRequest(operation, context.display, context);
    const code = requestExamples(operation, request, view);
    const html = [
        about,
        body.html,
        hasForm && request !== undefined ? formOf(operation, request, context.display, context.site) : "",
        sections.add("servers", "Servers", serversHtml(isWebhook ? [] : serversOf(operation), view)),
        sections.add("authentication", "Authentication", securityHtml(securityOf(operation), view)),
        ...Object.entries(titlesOfParameters).map(([place, title]) => {
            const fields = parametersIn(operation, place).map((each) =>
                parameterHtml(plainText(each["name"]), each, view),
            );
            return sections.add(place, title, fields.join(""));
        }),
        sections.add(
            "body",
            "Body",
            view.bodyOf("request", () => bodyHtml(requestBody, view)) +
                requestBodyExamples(requestBody, code.sent, view),
        ),
        sections.add(
            "responses",
            "Responses",
            view.bodyOf("response", () => responsesHtml(node["responses"], view)),
            ofResponses,
        ),
        sections.add("callbacks", "Callbacks", callbacksHtml(node["callbacks"], view)),
        linkOf(node["externalDocs"]),
    ];
    const beside = code.html + ofResponses;
    return sections.inPage(body, { about, description, html, beside });
}

function addressLine(method: string, address: string, mark = ""): string {
    return `<p class="operation"><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(address)}</code>${mark}</p>`;
}

/** @param exampleOf returns a response's example; if missing, the examples are elsewhere on the page */
function responsesHtml(given: unknown, view: SchemaView, exampleOf?: (response: Json) => string): string {
    const parts = Object.entries(asRecord(given)).map(([status, value], index) => {
        const response = resolveReference(view.document, value) ?? {};
        const about = [
            view.textHtml(response["summary"]),
            bodyHtml(response, view),
            headersHtml(response["headers"], view, "header"),
            exampleOf?.(response),
            linksHtml(response, view),
        ];
        return accordion(escapeHtml(status), about.join(""), index === 0);
    });
    return parts.join("");
}

/** Webhooks: requests that the API sends to its clients' addresses. */
function callbacksHtml(given: unknown, view: SchemaView): string {
    const { document } = view;
    const parts = entriesOf(document, given).flatMap(([name, callback]) =>
        entriesOf(document, callback).flatMap(([address, pathItem]) =>
            operationsOf(pathItem).map(([method, node]) => {
                const requestBody = resolveReference(document, node["requestBody"]) ?? {};
                const given = [...listOf(pathItem["parameters"]), ...listOf(node["parameters"])];
                const parameters = given.map((each) => resolveReference(document, each) ?? {});
                const about = [
                    addressLine(method, address),
                    view.wordsOf(node),
                    ...parameters.map((each) =>
                        parameterHtml(plainText(each["name"]), each, view, [plainText(each["in"])]),
                    ),
                    view.bodyOf("request", () => bodyHtml(requestBody, view)),
                    requestBodyExamples(requestBody, undefined, view),
                    responsesHtml(node["responses"], view, (response) => responseExamples(response, view)),
                ];
                return accordion(escapeHtml(name), about.join(""));
            }),
        ),
    );
    return parts.join("");
}

const maxTypes = 10;

/** A request or response body: its description, and the fields of each of its types. */
function bodyHtml({ content, required, description }: Json, view: SchemaView): string {
    const isRequired = required === true ? " <span>required</span>" : "";
    const types = view.first(bySchema(asRecord(content)), maxTypes, "types of a body", ({ types, schema, medias }) => {
        const others = medias.map((media) => encodingHtml(media, view) + exampleTexts(media, view));
        const fields = view.rulesOf(schema) + view.fieldsOf(schema) + others.join("");
        const names = types.map((type) => `<code>${escapeHtml(type)}</code>`).join(" ");
        const type = schema === undefined ? "" : view.typeOf(schema);
        const kind = (fields === "" || type.includes("[]")) && type !== "" ? ` <span>${escapeHtml(type)}</span>` : "";
        return `<p class="field-name">${names}${kind}${isRequired}</p>${fields}`;
    });
    return view.textHtml(description) + types;
}

/** The descriptions of examples, which are code blocks elsewhere on the page. */
function exampleTexts(media: unknown, view: SchemaView): string {
    const all = entriesOf(view.document, asRecord(media)["examples"]);
    return all
        .map(([name, { summary, description }]) => {
            const text = view.textHtml(description);
            return text === "" ? "" : nameLine(textOf(summary) ?? name, ["example"]) + text;
        })
        .join("");
}

/** The types of a body, grouped by equal references to a model. */
function bySchema(content: Json): { types: string[]; schema: unknown; medias: unknown[] }[] {
    const groups: { types: string[]; schema: unknown; medias: unknown[] }[] = [];
    for (const [type, media] of Object.entries(content)) {
        const schema = schemaOfMedia(media);
        const isModel = nameOfReference(schema) !== undefined;
        const same = groups.find((group) => isModel && isDeepStrictEqual(group.schema, schema));
        if (same === undefined) {
            groups.push({ types: [type], schema, medias: [media] });
        } else {
            same.types.push(type);
            same.medias.push(media);
        }
    }
    return groups;
}

/** Describes how the parts of a form are encoded. */
function encodingHtml(media: unknown, view: SchemaView): string {
    const { encoding, prefixEncoding, itemEncoding } = asRecord(media);
    const ofItems = listOf(prefixEncoding).map((each, at) => [`[${at}]`, each] as const);
    const ofOthers = itemEncoding === undefined ? [] : [["[other items]", itemEncoding] as const];
    return [...Object.entries(asRecord(encoding)), ...ofItems, ...ofOthers]
        .map(([name, given]) => {
            const { headers, ...others } = asRecord(given);
            const facts = Object.entries(others).map(([key, value]) => `${key}: ${plainText(value)}`);
            return sentence(`${name} is sent with`, facts) + headersHtml(headers, view, `header of ${name}`);
        })
        .join("");
}

function headersHtml(headers: unknown, view: SchemaView, note: string): string {
    const all = entriesOf(view.document, headers);
    return all.map(([name, header]) => parameterHtml(name, header, view, [note])).join("");
}

/** The place for the form, which a script inserts, so that nobody sees a form that does not work. */
export function formOf(
    operation: ApiOperation,
    { method, body }: ApiRequest,
    display: ApiDisplay,
    site?: SiteAddress,
): string {
    const choices = credentialChoices(operation);
    // Only the browser can send a cookie: a page cannot set cookies of another site.
    const needsCookie =
        choices[0]?.fields.some((field) => field.in === "cookie") === true ||
        parametersIn(operation, "cookie").some(({ required }) => required === true);
    const parts = partFields(operation);
    const ofBody = parts.length > 0 ? { parts } : body?.file === undefined ? { body: body?.text } : { file: true };
    const request = {
        method,
        // Without a server in the document, readers enter one.
        url: baseUrlOf(operation, site) || (serversOf(operation).length > 0 ? "/" : ""),
        path: operation.path,
        credentials: choices.map(({ label, fields }) => ({
            label,
            fields: fields.filter(isSentByBrowsers),
        })),
        fields: parameterFields(operation),
        ...(body !== undefined && method !== "GET" && method !== "HEAD" && { bodyType: body.type, ...ofBody }),
        ...((display.sendsCookies || needsCookie) && { sendsCookies: true }),
    };
    return `<div class="try-it" data-request="${escapeHtml(JSON.stringify(request))}"></div>`;
}
