import { accordion } from "../../html/accordion.js";
import { escapeHtml } from "../../text/html-text.js";
import { type RenderedBody } from "../../page/render-host.js";
import { word } from "../../words/words.js";
import { asRecord, listOf } from "../../text/json-values.js";
import { type ApiOperation } from "../document/api-document.js";
import { operationsOf } from "../document/operations-of-path.js";
import { type Json, resolveReference } from "../document/references.js";
import { ApiSections } from "./api-sections.js";
import { bySchema, contentOf } from "./body-content.js";
import { type ApiHost, OperationExamples } from "./operation-examples.js";
import {
    encodingHtml,
    linksHtml,
    securityHtml,
    securityOf,
    serversHtml,
    serversOf,
    styleOfParameter,
} from "./operation-parts.js";
import { baseUrlOf, requestOf, schemesOf } from "./operation-request.js";
import { fieldOfParameter, fieldOfScheme, tryItHtml } from "./try-it.js";
import { linkOf } from "../schema/schema-notes.js";
import { SchemaView } from "../schema/schema-view.js";

export interface OperationHost extends ApiHost {
    /** Whether readers may send requests from the page. */
    readonly tryIt: boolean;
}

/** Puts an operation into its page: method and address, code, authentication, parameters, bodies and answers. */
export function renderOperation(operation: ApiOperation, body: RenderedBody, host: OperationHost): RenderedBody {
    return new OperationPage(operation, host).render(body);
}

class OperationPage {
    readonly #view: SchemaView;
    readonly #examples: OperationExamples;
    readonly #sections = new ApiSections();

    constructor(
        private readonly operation: ApiOperation,
        private readonly host: OperationHost,
    ) {
        this.#view = new SchemaView(operation.document, host);
        this.#examples = new OperationExamples(operation, host);
    }

    render(body: RenderedBody): RenderedBody {
        const { method, path, node, description, isDeprecated, isWebhook } = this.operation;
        const name = `<span class="method ${method}">${method.toUpperCase()}</span>`;
        const mark = isDeprecated ? ` <span class="badge orange">${word("deprecated")}</span>` : "";
        const address =
            this.host.display.hasWholeAddress === true && !isWebhook ? baseUrlOf(this.operation) + path : path;
        const about = [
            `<p class="operation">${name} <code>${escapeHtml(address)}</code>${mark}</p>`,
            description === undefined ? "" : this.host.markdown(description, 2),
        ].join("\n");
        const responseExamples = this.#examples.ofResponses();
        const beside = this.#examples.ofRequest() + responseExamples;
        const html = [
            about,
            body.html,
            this.#tryIt(),
            this.#sections.add(
                "servers",
                "Servers",
                serversHtml(isWebhook ? [] : serversOf(this.operation), this.#view),
            ),
            this.#sections.add(
                "authentication",
                "Authentication",
                securityHtml(securityOf(this.operation), this.#view),
            ),
            ...["path", "query", "header", "cookie"].map((place) => this.#parameters(place)),
            this.#sections.add("body", "Body", this.#requestBody(node["requestBody"])),
            this.#sections.add("responses", "Responses", this.#responses(node["responses"]), responseExamples),
            this.#sections.add("callbacks", "Callbacks", this.#callbacks(node["callbacks"])),
            linkOf(node["externalDocs"]),
        ];
        return this.#sections.inPage(body, { about, description, html, beside });
    }

    /** The parameters of the operation and of its path; those of the operation take precedence. */
    #parametersIn(place: string): Map<string, Json> {
        const { document, node, pathItem } = this.operation;
        const all = new Map<string, Json>();
        for (const given of [...listOf(pathItem["parameters"]), ...listOf(node["parameters"])]) {
            const parameter = resolveReference(document, given);
            if (parameter?.["in"] === place && typeof parameter["name"] === "string") {
                all.set(parameter["name"], parameter);
            }
        }
        return all;
    }

    #tryIt(): string {
        const { document, path, isWebhook } = this.operation;
        if (!this.host.tryIt || isWebhook) {
            return "";
        }
        const { method, body, bodyType } = requestOf(this.operation, this.host.display);
        const parameters = ["path", "query", "header"].flatMap((place) => [...this.#parametersIn(place).values()]);
        const hasBody = method !== "GET" && method !== "HEAD" && bodyType !== undefined;
        return tryItHtml({
            method,
            url: baseUrlOf(this.operation),
            path,
            fields: [
                ...schemesOf(this.operation).flatMap(fieldOfScheme),
                ...parameters.flatMap((parameter) => fieldOfParameter(document, parameter)),
            ],
            ...(hasBody && { body: body ?? "", bodyType }),
        });
    }

    #parameters(place: string): string {
        const all = this.#parametersIn(place);
        const fields = [...all].map(([name, parameter]) => this.#parameter(name, parameter, []));
        const titles: Record<string, string> = {
            path: "Path parameters",
            query: "Query parameters",
            header: "Headers",
        };
        return this.#sections.add(place, titles[place] ?? "Cookies", fields.join(""));
    }

    /** A parameter, or a header of an answer. */
    #parameter(name: string, parameter: Json, notes: readonly string[]): string {
        const [media] = Object.values(asRecord(parameter["content"]));
        const schema = parameter["schema"] ?? asRecord(media)["schema"] ?? {};
        const { description, example } = parameter;
        const examples = Object.values(asRecord(parameter["examples"])).map(
            (given) => resolveReference(this.operation.document, given)?.["value"],
        );
        const own = {
            ...(typeof description === "string" && { description }),
            ...(example !== undefined && { example }),
            ...(examples.length > 0 && { examples }),
        };
        const described = Object.keys(own).length === 0 ? schema : { ...asRecord(schema), ...own };
        const deprecated = parameter["deprecated"] === true ? ["deprecated"] : [];
        const labels = [...notes, ...deprecated, ...styleOfParameter(parameter)];
        return this.#view.field(name, described, parameter["required"] === true, labels, []);
    }

    /** One example is in the code that sends the request. */
    #requestBody(given: unknown): string {
        const body = resolveReference(this.operation.document, given);
        return this.#content(body) + this.#examples.ofRequestBody(body);
    }

    #content(holder: Json | undefined): string {
        const content = contentOf(holder);
        const isRequired = holder?.["required"] === true ? " <span>required</span>" : "";
        const [first, ...others] = bySchema(content).map(({ types, schema, media }) => {
            const fields = this.#view.rulesOf(schema) + this.#view.fieldsOf(schema) + encodingHtml(media);
            const names = types.map((type) => `<code>${escapeHtml(type)}</code>`).join(" ");
            const kind =
                fields === "" && schema !== undefined ? ` <span>${escapeHtml(this.#view.typeOf(schema))}</span>` : "";
            return { head: `<p class="field-name">${names}${kind}${isRequired}</p>`, fields };
        });
        return [
            first?.head,
            this.#view.textHtml(holder?.["description"]),
            first?.fields,
            ...others.map(({ head, fields }) => head + fields),
        ].join("");
    }

    /** @param example of a response; without it the page has the examples elsewhere */
    #responses(given: unknown, example?: (response: Json | undefined) => string): string {
        const parts = Object.entries(asRecord(given)).map(([status, value], index) => {
            const response = resolveReference(this.operation.document, value);
            const about = [
                this.#content(response),
                this.#headers(response),
                example?.(response),
                linksHtml(this.operation, response),
            ];
            return accordion(escapeHtml(status), about.join(""), index === 0);
        });
        return parts.join("");
    }

    #headers(response: Json | undefined): string {
        const headers = Object.entries(asRecord(response?.["headers"])).map(([name, given]) =>
            this.#parameter(name, resolveReference(this.operation.document, given) ?? {}, ["header"]),
        );
        return headers.join("");
    }

    /** Requests that the API sends, to addresses that it was given. */
    #callbacks(given: unknown): string {
        const { document } = this.operation;
        const parts = Object.entries(asRecord(given)).flatMap(([name, value]) =>
            Object.entries(resolveReference(document, value) ?? {}).flatMap(([address, pathItem]) =>
                operationsOf(resolveReference(document, pathItem) ?? {}).map(([method, node]) => {
                    const { summary, description } = node;
                    const about = [
                        `<p class="operation"><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(address)}</code></p>`,
                        ...[summary, description].map((text) => this.#view.textHtml(text)),
                        this.#content(resolveReference(document, node["requestBody"])),
                        this.#responses(node["responses"], (response) => this.#examples.ofResponse(response)),
                    ];
                    return accordion(escapeHtml(name), about.join(""));
                }),
            ),
        );
        return parts.join("");
    }
}
