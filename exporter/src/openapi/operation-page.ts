import { nameOfReference, resolveReference, type ApiOperation, type Json } from "./api-document.js";
import { isRecord } from "../files/config-file.js";
import { escapeHtml } from "../text/html-text.js";
import { type TocEntry } from "../html/headings.js";
import { type RenderedBody } from "../page/render-host.js";
import { type SearchSection } from "../text/search-text.js";
import { codeSamplesOf, type ApiRequest } from "./code-samples.js";
import { exampleOf, examplesOf } from "./sample.js";
import { listOf, type SchemaHost, SchemaView } from "./schema-view.js";
import { fieldOfParameter, fieldOfScheme, tryItHtml } from "./try-it.js";

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
        const mark = isDeprecated ? ' <span class="badge orange">deprecated</span>' : "";
        const html = [
            `<p class="operation">${name} <code>${escapeHtml(this.#host.display.hasWholeAddress === true && !isWebhook ? this.#baseUrl() + path : path)}</code>${mark}</p>`,
            description === undefined ? "" : this.#host.markdown(description, 2),
            body.html,
            this.#samples(),
            this.#tryIt(),
            this.#authentication(),
            ...["path", "query", "header", "cookie"].map((place) => this.#parameters(place)),
            this.#section(
                "body",
                "Body",
                this.#requestBody(resolveReference(this.#operation.document, node["requestBody"])),
            ),
            this.#responses(),
        ];
        return {
            ...body,
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
        return `<h2 id="${id}">${title}<a class="anchor" href="#${id}" aria-label="Link to this section: ${title}">#</a></h2>${content}`;
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
        const fields = [...all].map(([name, parameter]) => {
            const [media] = isRecord(parameter["content"]) ? Object.values(parameter["content"]) : [];
            const schema = parameter["schema"] ?? (isRecord(media) ? media["schema"] : undefined) ?? {};
            const { description } = parameter;
            const described = typeof description === "string" ? { ...asRecord(schema), description } : schema;
            const notes = parameter["deprecated"] === true ? ["deprecated"] : [];
            return this.#view.field(name, described, parameter["required"] === true, notes, []);
        });
        const titles: Record<string, string> = {
            path: "Path parameters",
            query: "Query parameters",
            header: "Headers",
        };
        return this.#section(place, titles[place] ?? "Cookies", fields.join(""));
    }

    /** One example is in the code that sends the request. */
    #requestBody(body: Json | undefined): string {
        const content = contentOf(body);
        const count = examplesOf(this.#operation.document, Object.values(content)[0]).length;
        return this.#content(body) + (count > 1 ? this.#example(body) : "");
    }

    #content(holder: Json | undefined): string {
        const content = contentOf(holder);
        const description =
            typeof holder?.["description"] === "string" ? this.#host.markdown(holder["description"]) : "";
        const [first, ...others] = bySchema(content).map(({ types, schema }) => {
            const fields = this.#view.fieldsOf(schema);
            const names = types.map((type) => `<code>${escapeHtml(type)}</code>`).join(" ");
            const kind =
                fields === "" && schema !== undefined ? ` <span>${escapeHtml(this.#view.typeOf(schema))}</span>` : "";
            return { head: `<p class="field-name">${names}${kind}</p>`, fields };
        });
        return [
            first && first.head,
            description,
            first?.fields,
            ...others.map(({ head, fields }) => head + fields),
        ].join("");
    }

    #responses(): string {
        const { document, node } = this.#operation;
        const responses = isRecord(node["responses"]) ? Object.entries(node["responses"]) : [];
        const parts = responses.map(([status, given], index) => {
            const response = resolveReference(document, given);
            const open = index === 0 ? " open" : "";
            const example = this.#example(response);
            return `<details class="accordion"${open}><summary>${escapeHtml(status)}</summary><div>${this.#content(response)}${example}</div></details>`;
        });
        return this.#section("responses", "Responses", parts.join(""));
    }

    #example(response: Json | undefined): string {
        const content = contentOf(response);
        const media = content["application/json"] ?? Object.values(content)[0];
        const blocks = examplesOf(this.#operation.document, media).map(({ label, value }) => {
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
        const example = type === undefined ? undefined : exampleOf(document, content[type], this.#host.display);
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

    /** The server of the operation, its path or the document, with the default values of its variables. */
    #baseUrl(): string {
        const { document, node, pathItem } = this.#operation;
        const servers = [node, pathItem, document.root].map((holder) => listOf(holder["servers"])[0]).filter(isRecord);
        const [server] = servers;
        const variables = isRecord(server?.["variables"]) ? server["variables"] : {};
        const url = typeof server?.["url"] === "string" ? server["url"] : "https://api.example.com";
        return url
            .replace(/\{([\w-]+)\}/g, (whole, name: string) => {
                const value = asRecord(variables[name])["default"];
                return typeof value === "string" ? value : whole;
            })
            .replace(/\/+$/, "");
    }

    #schemes(): Json[] {
        const { document, node } = this.#operation;
        const wanted = listOf(node["security"] ?? document.root["security"]).filter(isRecord)[0] ?? {};
        const components = asRecord(document.root["components"]);
        const known = asRecord(components["securitySchemes"]);
        return Object.keys(wanted).flatMap((name) => {
            const scheme = resolveReference(document, known[name]);
            return scheme === undefined ? [] : [scheme];
        });
    }

    #authentication(): string {
        const fields = this.#schemes().map((scheme) => {
            const name = typeof scheme["name"] === "string" ? scheme["name"] : "Authorization";
            const place = typeof scheme["in"] === "string" ? scheme["in"] : "header";
            const kind = [scheme["type"], scheme["scheme"]].filter((part) => typeof part === "string").join(", ");
            const { description } = scheme;
            const schema = { type: "string", ...(typeof description === "string" && { description }) };
            return this.#view.field(name, schema, true, [place, kind], []);
        });
        return this.#section("authentication", "Authentication", fields.join(""));
    }
}

/** The bodies of a request or an answer, by their types. */
function contentOf(holder: Json | undefined): Json {
    return holder !== undefined && isRecord(holder["content"]) ? holder["content"] : {};
}

/** Code blocks of which readers see one at a time. */
function codeTabs(blocks: readonly string[]): string {
    return `<div class="tabs code-tabs" data-sync>${blocks.join("")}</div>`;
}

const maxTypes = 10;

/** The types of a body, those that have the same model together. */
function bySchema(content: Json): { types: string[]; schema: unknown }[] {
    const groups: { types: string[]; schema: unknown }[] = [];
    for (const [type, media] of Object.entries(content).slice(0, maxTypes)) {
        const schema = isRecord(media) ? media["schema"] : undefined;
        const name = nameOfReference(schema);
        const same = groups.find((group) => name !== undefined && nameOfReference(group.schema) === name);
        if (same === undefined) {
            groups.push({ types: [type], schema });
        } else {
            same.types.push(type);
        }
    }
    return groups;
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

function asRecord(value: unknown): Record<string, unknown> {
    return isRecord(value) ? value : {};
}
