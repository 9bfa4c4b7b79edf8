import { escapeHtml } from "../../text/html-text.js";
import { asRecord, isRecord, listOf, recordsOf } from "../../text/json-values.js";
import { type ApiOperation } from "../document/api-document.js";
import { type HasRoot, type Json, resolveReference } from "../document/references.js";
import { linkOf, sentence } from "../schema/schema-notes.js";
import { type SchemaView } from "../schema/schema-view.js";

/** One of the ways to be allowed to send a request: schemes that are all needed, with their scopes. */
export type SecurityChoice = readonly { readonly scheme: Json; readonly scopes: readonly string[] }[];

/** The servers of an operation: its own, or else its path's or the document's. */
export function serversOf({ document, node, pathItem }: ApiOperation): Json[] {
    const holder = [node, pathItem, document.root].find(({ servers }) => recordsOf(servers).length > 0);
    return recordsOf(holder?.["servers"]);
}

/** The servers with their variables, where there is something to choose. */
export function serversHtml(servers: readonly Json[], view: SchemaView): string {
    const hasChoice = servers.length > 1 || isRecord(servers[0]?.["variables"]);
    return (hasChoice ? servers : [])
        .map(({ url, description, variables }) => {
            const fields = Object.entries(asRecord(variables)).map(([name, variable]) =>
                view.field(name, { type: "string", ...asRecord(variable) }, false, [], []),
            );
            return `<p class="field-name"><code>${escapeHtml(String(url))}</code></p>${view.textHtml(description)}${fields.join("")}`;
        })
        .join("");
}

/** The alternatives of which a request needs one; an empty one stands for none at all. */
export function securityOf({ document, node }: ApiOperation): SecurityChoice[] {
    return choicesOf(document, node["security"] ?? document.root["security"]);
}

/** The schemes that a list of alternatives names, with the scopes that they need. */
export function choicesOf(document: HasRoot, given: unknown): SecurityChoice[] {
    const known = asRecord(asRecord(document.root["components"])["securitySchemes"]);
    return recordsOf(given).map((wanted) =>
        Object.entries(wanted).flatMap(([name, scopes]) => {
            const scheme = resolveReference(document, known[name]);
            return scheme === undefined ? [] : [{ scheme, scopes: listOf(scopes).map(String) }];
        }),
    );
}

export function securityHtml(choices: readonly SecurityChoice[], view: SchemaView): string {
    const parts = choices.map((choice) =>
        choice.length === 0
            ? '<p class="field-values">None</p>'
            : choice.map(({ scheme, scopes }) => schemeHtml(scheme, scopes, view)).join(""),
    );
    return choices.some((choice) => choice.length > 0) ? parts.join('<p class="field-values">or</p>') : "";
}

/** Types that say how a request of HTTP is authorised; others are about a connection. */
const typesOfHttp = new Set<unknown>(["http", "oauth2", "openIdConnect"]);

function schemeHtml(scheme: Json, scopes: readonly string[], view: SchemaView): string {
    const isOfHttp = typesOfHttp.has(scheme["type"]);
    const name = typeof scheme["name"] === "string" ? scheme["name"] : isOfHttp ? "Authorization" : "Credentials";
    const place = typeof scheme["in"] === "string" ? [scheme["in"]] : isOfHttp ? ["header"] : [];
    const kind = [scheme["type"], scheme["scheme"], scheme["bearerFormat"]]
        .filter((part) => typeof part === "string")
        .join(", ");
    const { description } = scheme;
    const schema = { type: "string", ...(typeof description === "string" && { description }) };
    const needed = scopes.length === 0 ? [] : [`scopes: ${scopes.join(", ")}`];
    const discovery = linkOf({ url: scheme["openIdConnectUrl"] });
    const flows = Object.entries(asRecord(scheme["flows"])).map(([flow, given]) => flowHtml(flow, asRecord(given)));
    return view.field(name, schema, true, [...place, kind, ...needed], []) + discovery + flows.join("");
}

function flowHtml(flow: string, given: Json): string {
    const addresses = ["authorizationUrl", "tokenUrl", "refreshUrl", "deviceAuthorizationUrl"].flatMap((key) =>
        typeof given[key] === "string" ? [`${key}: ${given[key]}`] : [],
    );
    const scopes = Object.entries(asRecord(given["scopes"] ?? given["availableScopes"])).map(
        ([scope, text]) => `${scope}: ${String(text)}`,
    );
    return sentence(`OAuth flow ${flow}:`, addresses) + sentence("Scopes:", scopes);
}

/** The links of an answer to further operations. */
export function linksHtml(operation: ApiOperation, response: Json | undefined): string {
    return Object.entries(asRecord(response?.["links"]))
        .map(([name, given]) => {
            const link = resolveReference(operation.document, given) ?? {};
            const target = [link["operationId"], link["operationRef"]].find((value) => typeof value === "string");
            const values = Object.entries(asRecord(link["parameters"])).map(
                ([key, value]) => `${key} = ${String(value)}`,
            );
            const body = link["requestBody"] === undefined ? [] : [`body = ${JSON.stringify(link["requestBody"])}`];
            const { description } = link;
            const text = typeof description === "string" ? [description] : [];
            return sentence("Link", [`${name}: ${String(target ?? "")}`, ...text, ...values, ...body]);
        })
        .join("");
}

/** How the parts of a form are sent. */
export function encodingHtml(media: unknown): string {
    return Object.entries(asRecord(asRecord(media)["encoding"]))
        .map(([name, given]) => {
            const { headers, ...others } = asRecord(given);
            const facts = Object.entries(others).map(([key, value]) => `${key}: ${String(value)}`);
            const named = Object.keys(asRecord(headers)).map((header) => `header ${header}`);
            return sentence(`${name} is sent with`, [...facts, ...named]);
        })
        .join("");
}

/** How a parameter is written into the request, where the document says so. */
export function styleOfParameter(parameter: Json): string[] {
    const { style, explode } = parameter;
    return [
        ...(typeof style === "string" ? [`style: ${style}`] : []),
        ...(typeof explode === "boolean" ? [`explode: ${explode}`] : []),
        ...(parameter["allowEmptyValue"] === true ? ["may be empty"] : []),
        ...(parameter["allowReserved"] === true ? ["reserved characters allowed"] : []),
    ];
}
