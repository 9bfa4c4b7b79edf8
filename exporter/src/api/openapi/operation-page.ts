import { accordion } from "../../html/accordion.js";
import { escapeHtml } from "../../text/html-text.js";
import { type RenderedBody } from "../../html/rendered-body.js";
import { asRecord } from "../../text/json-values.js";
import { type ApiOperation } from "./api-document.js";
import { operationsOf } from "../documents/operations-of-path.js";
import { entriesOf, type Json, resolveReference } from "../documents/references.js";
import { ApiSections, deprecationOf } from "../parts/api-sections.js";
import { bodyHtml } from "./body-html.js";
import { requestBodyExamples, requestExamples, responseExamples, responsesExamples } from "./operation-examples.js";
import { linksHtml, securityHtml, securityOf, serversHtml, serversOf } from "./operation-parts.js";
import { baseUrlOf } from "./operation-request.js";
import { parameterHtml, parametersIn } from "./parameters.js";
import { formOf } from "./try-it.js";
import { linkOf } from "../parts/schema-notes.js";
import { type ApiHost } from "../parts/api-host.js";
import { SchemaView } from "../parts/schema-view.js";

const titlesOfParameters = {
    path: "Path parameters",
    query: "Query parameters",
    header: "Headers",
    cookie: "Cookies",
};

/**
 * Puts an operation into its page: method and address, code, authentication, parameters, bodies and answers.
 *
 * @param hasForm whether readers may send requests from the page
 */
export function renderOperation(
    operation: ApiOperation,
    body: RenderedBody,
    host: ApiHost,
    hasForm: boolean,
): RenderedBody {
    const { document, method, path, node, description, isWebhook } = operation;
    const view = new SchemaView(document, host);
    const sections = new ApiSections();
    const address = host.display.hasWholeAddress === true && !isWebhook ? baseUrlOf(operation) + path : path;
    const about = [addressLine(method, address, deprecationOf(node)), view.textHtml(description, 2)].join("\n");
    const ofResponses = responsesExamples(node["responses"], view);
    const requestBody = resolveReference(document, node["requestBody"]) ?? {};
    const html = [
        about,
        body.html,
        hasForm ? formOf(operation, host.display) : "",
        sections.add("servers", "Servers", serversHtml(isWebhook ? [] : serversOf(operation), view)),
        sections.add("authentication", "Authentication", securityHtml(securityOf(operation), view)),
        ...Object.entries(titlesOfParameters).map(([place, title]) => {
            const fields = parametersIn(operation, place).map((each) =>
                parameterHtml(String(each["name"]), each, view),
            );
            return sections.add(place, title, fields.join(""));
        }),
        // One example is in the code that sends the request.
        sections.add("body", "Body", bodyHtml(requestBody, view) + requestBodyExamples(requestBody, view)),
        sections.add("responses", "Responses", responsesHtml(node["responses"], view), ofResponses),
        sections.add("callbacks", "Callbacks", callbacksHtml(node["callbacks"], view)),
        linkOf(node["externalDocs"]),
    ];
    const beside = requestExamples(operation, view) + ofResponses;
    return sections.inPage(body, { about, description, html, beside });
}

function addressLine(method: string, address: string, mark = ""): string {
    return `<p class="operation"><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(address)}</code>${mark}</p>`;
}

/** @param exampleOf a response; without it the page has the examples elsewhere */
function responsesHtml(given: unknown, view: SchemaView, exampleOf?: (response: Json) => string): string {
    const parts = Object.entries(asRecord(given)).map(([status, value], index) => {
        const response = resolveReference(view.document, value) ?? {};
        const headers = entriesOf(view.document, response["headers"]).map(([name, header]) =>
            parameterHtml(name, header, view, ["header"]),
        );
        const about = [bodyHtml(response, view), ...headers, exampleOf?.(response), linksHtml(response, view)];
        return accordion(escapeHtml(status), about.join(""), index === 0);
    });
    return parts.join("");
}

/** Requests that the API sends, to addresses that it was given. */
function callbacksHtml(given: unknown, view: SchemaView): string {
    const { document } = view;
    const parts = entriesOf(document, given).flatMap(([name, callback]) =>
        entriesOf(document, callback).flatMap(([address, pathItem]) =>
            operationsOf(pathItem).map(([method, node]) => {
                const about = [
                    addressLine(method, address),
                    view.wordsOf(node),
                    bodyHtml(resolveReference(document, node["requestBody"]) ?? {}, view),
                    responsesHtml(node["responses"], view, (response) => responseExamples(response, view)),
                ];
                return accordion(escapeHtml(name), about.join(""));
            }),
        ),
    );
    return parts.join("");
}
