import { operationsOf, resolveReference, type ApiOperation, type Json } from "./api-document.js";
import { escapeHtml } from "../text/html-text.js";
import { type Lead } from "../html/lead.js";
import { type TocEntry } from "../html/headings.js";
import { type RenderedBody } from "../page/render-host.js";
import { type SearchSection } from "../text/search-text.js";
import { bySchema, contentOf } from "./body-content.js";
import { codeSamplesOf } from "./code-samples.js";
import { type ApiRequest } from "./code-writers/code-sample.js";
import { exampleOf, examplesOf, type SampleOptions } from "./sample.js";
import {
    asRecord,
    encodingHtml,
    linksHtml,
    securityHtml,
    securityOf,
    serversHtml,
    serversOf,
    styleOfParameter,
} from "./operation-parts.js";
import { listOf } from "./schema-list.js";
import { linkOf } from "./schema-notes.js";
import { type SchemaHost, SchemaView } from "./schema-view.js";
import { fieldOfParameter, fieldOfScheme, tryItHtml } from "./try-it.js";
import { word } from "../words/words.js";

const ofRequest: SampleOptions = { without: "readOnly" };
const ofResponse: SampleOptions = { without: "writeOnly" };

export interface OperationHost extends SchemaHost {
    readonly code: (code: string, language: string, meta: string) => string;
    /** Whether readers may send requests from the page. */
    readonly tryIt: boolean;
}

/** Puts an operation into its page: method and address, code, authentication, parameters, bodies and answers. */
export function renderOperation(operation: ApiOperation, body: RenderedBody, host: OperationHost): RenderedBody {
    return new OperationPage(operation, host).render(body);
}

class OperationPage {
    readonly #operation: ApiOperation;
    readonly #host: OperationHost;
    readonly #view: SchemaView;
    readonly #toc: TocEntry[] = [];
    readonly #sections: SearchSection[] = [];

    constructor(operation: ApiOperation, host: OperationHost) {
        this.#operation = operation;
        this.#host = host;
        this.#view = new SchemaView(operation.document, host);
    }

    render(body: RenderedBody): RenderedBody {
        const { method, path, node, description, isDeprecated, isWebhook } = this.#operation;
        const name = `<span class="method ${method}">${method.toUpperCase()}</span>`;
        const mark = isDeprecated ? ` <span class="badge orange">${word("deprecated")}</span>` : "";
        const html = [
            `<p class="operation">${name} <code>${escapeHtml(this.#host.display.hasWholeAddress === true && !isWebhook ? this.#baseUrl() + path : path)}</code>${mark}</p>`,
            description === undefined ? "" : this.#host.markdown(description, 2),
            body.html,
            this.#samples(),
            this.#tryIt(),
            this.#section(
                "servers",
                "Servers",
                serversHtml(isWebhook ? [] : serversOf(this.#operation), this.#view, this.#host.markdown),
            ),
            this.#section("authentication", "Authentication", securityHtml(securityOf(this.#operation), this.#view)),
            ...["path", "query", "header", "cookie"].map((place) => this.#parameters(place)),
            this.#section(
                "body",
                "Body",
                this.#requestBody(resolveReference(this.#operation.document, node["requestBody"])),
            ),
            this.#section("responses", "Responses", this.#responses(node["responses"])),
            this.#section("callbacks", "Callbacks", this.#callbacks(node["callbacks"])),
            linkOf(node["externalDocs"]),
        ];
        return {
            ...body,
            ...(body.lead && { lead: shownOnce(body.lead, description) }),
            html: html.join("\n"),
            toc: [...body.toc, ...this.#toc],
            sections: [...body.sections, ...this.#sections],
        };
    }

    #section(name: string, title: string, content: string): string {
        if (content === "") {
            return "";
        }
        const id = `api-${name}`;
        this.#toc.push({ id, text: title, depth: 2 });
        this.#sections.push({
            id,
            heading: title,
            text: content
                .replace(/<[^>]*>/g, " ")
                .replace(/\s+/g, " ")
                .trim(),
        });
        return `<h2 id="${id}">${title}<a class="anchor" href="#${id}" aria-label="${word("linkToSection")}: ${title}">#</a></h2>${content}`;
    }

    /** The parameters of the operation and of its path; those of the operation take precedence. */
    #parametersIn(place: string): Map<string, Json> {
        const { document, node, pathItem } = this.#operation;
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
        const { document, path, isWebhook } = this.#operation;
        if (!this.#host.tryIt || isWebhook) {
            return "";
        }
        const { method, body, bodyType } = this.#request();
        const parameters = ["path", "query", "header"].flatMap((place) => [...this.#parametersIn(place).values()]);
        const hasBody = method !== "GET" && method !== "HEAD" && bodyType !== undefined;
        return tryItHtml({
            method,
            url: this.#baseUrl(),
            path,
            fields: [
                ...this.#schemes().flatMap(fieldOfScheme),
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
        return this.#section(place, titles[place] ?? "Cookies", fields.join(""));
    }

    /** A parameter, or a header of an answer. */
    #parameter(name: string, parameter: Json, notes: readonly string[]): string {
        const [media] = Object.values(asRecord(parameter["content"]));
        const schema = parameter["schema"] ?? asRecord(media)["schema"] ?? {};
        const { description, example } = parameter;
        const examples = Object.values(asRecord(parameter["examples"])).map(
            (given) => resolveReference(this.#operation.document, given)?.["value"],
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
    #requestBody(body: Json | undefined): string {
        const content = contentOf(body);
        const count = examplesOf(this.#operation.document, Object.values(content)[0], ofRequest).length;
        return this.#content(body) + (count > 1 ? this.#example(body, ofRequest) : "");
    }

    #content(holder: Json | undefined): string {
        const content = contentOf(holder);
        const description =
            typeof holder?.["description"] === "string" ? this.#host.markdown(holder["description"]) : "";
        const isRequired = holder?.["required"] === true ? " <span>required</span>" : "";
        const [first, ...others] = bySchema(content).map(({ types, schema, media }) => {
            const fields = this.#view.rulesOf(schema) + this.#view.fieldsOf(schema) + encodingHtml(media);
            const names = types.map((type) => `<code>${escapeHtml(type)}</code>`).join(" ");
            const kind =
                fields === "" && schema !== undefined ? ` <span>${escapeHtml(this.#view.typeOf(schema))}</span>` : "";
            return { head: `<p class="field-name">${names}${kind}${isRequired}</p>`, fields };
        });
        return [
            first && first.head,
            description,
            first?.fields,
            ...others.map(({ head, fields }) => head + fields),
        ].join("");
    }

    #responses(given: unknown): string {
        const parts = Object.entries(asRecord(given)).map(([status, value], index) => {
            const response = resolveReference(this.#operation.document, value);
            const open = index === 0 ? " open" : "";
            const about = [
                this.#content(response),
                this.#headers(response),
                this.#example(response, ofResponse),
                linksHtml(this.#operation, response),
            ];
            return `<details class="accordion"${open}><summary>${escapeHtml(status)}</summary><div>${about.join("")}</div></details>`;
        });
        return parts.join("");
    }

    #headers(response: Json | undefined): string {
        const headers = Object.entries(asRecord(response?.["headers"])).map(([name, given]) =>
            this.#parameter(name, resolveReference(this.#operation.document, given) ?? {}, ["header"]),
        );
        return headers.join("");
    }

    /** Requests that the API sends, to addresses that it was given. */
    #callbacks(given: unknown): string {
        const { document } = this.#operation;
        const parts = Object.entries(asRecord(given)).flatMap(([name, value]) =>
            Object.entries(resolveReference(document, value) ?? {}).flatMap(([address, pathItem]) =>
                operationsOf(resolveReference(document, pathItem) ?? {}).map(([method, node]) => {
                    const { summary, description } = node;
                    const about = [
                        `<p class="operation"><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(address)}</code></p>`,
                        ...[summary, description].map((text) =>
                            typeof text === "string" ? this.#host.markdown(text) : "",
                        ),
                        this.#content(resolveReference(document, node["requestBody"])),
                        this.#responses(node["responses"]),
                    ];
                    return `<details class="accordion"><summary>${escapeHtml(name)}</summary><div>${about.join("")}</div></details>`;
                }),
            ),
        );
        return parts.join("");
    }

    #example(body: Json | undefined, options: SampleOptions): string {
        const content = contentOf(body);
        const media = content["application/json"] ?? Object.values(content)[0];
        const blocks = examplesOf(this.#operation.document, media, options).map(({ label, value }) => {
            const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
            return this.#host.code(text, "json", `title="${label.replaceAll('"', "")}"`);
        });
        return blocks.length < 2 ? blocks.join("") : codeTabs(blocks);
    }

    #samples(): string {
        if (this.#operation.isWebhook) {
            return "";
        }
        const samples = codeSamplesOf(this.#operation, this.#request(), this.#host.display);
        if (samples.length === 0) {
            return "";
        }
        const blocks = samples.map(({ label, language, code }) =>
            this.#host.code(code, language, `title="${label.replaceAll('"', "")}"`),
        );
        return `<div class="example" role="group" aria-label="Request example">${codeTabs(blocks)}</div>`;
    }

    #request(): ApiRequest {
        const { document, method, path, node } = this.#operation;
        const requestBody = resolveReference(document, node["requestBody"]);
        const content = contentOf(requestBody);
        const [type] = Object.keys(content);
        const example =
            type === undefined
                ? undefined
                : exampleOf(document, content[type], { ...this.#host.display, ...ofRequest });
        const headers = this.#schemes().flatMap((scheme) => headerOf(scheme));
        if (type !== undefined) {
            headers.push(["Content-Type", type]);
        }
        return {
            method: method.toUpperCase(),
            url: this.#baseUrl() + path,
            headers,
            body: example === undefined ? undefined : JSON.stringify(example, undefined, 2),
            bodyType: type,
        };
    }

    /** The first server, with the default values of its variables. */
    #baseUrl(): string {
        const [server] = serversOf(this.#operation);
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
    #schemes(): Json[] {
        return (securityOf(this.#operation)[0] ?? []).map(({ scheme }) => scheme);
    }
}

/** A page that begins with the operation's description says it once. */
function shownOnce(lead: Lead, description: string | undefined): Lead {
    const isSaidBelow = description?.replace(/[`*_[\]]/g, "").startsWith(lead.text) ?? false;
    return isSaidBelow ? { ...lead, html: "" } : lead;
}

/** Code blocks of which readers see one at a time. */
function codeTabs(blocks: readonly string[]): string {
    return `<div class="tabs code-tabs" data-sync>${blocks.join("")}</div>`;
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
