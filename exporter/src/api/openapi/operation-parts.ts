import { jsonOf, plainText } from "../../text/json-text.js";
import { asRecord, isRecord, listOf, recordsOf, textOf } from "../../text/json-values.js";
import { type ApiOperation } from "./api-document.js";
import { entriesOf, type HasRoot, type Json, resolveReference } from "../documents/references.js";
import { linkOf, nameLine, sentence } from "../parts/schema-notes.js";
import { type SchemaView } from "../parts/schema-fields.js";

/** One way to authenticate: schemes that are all required, with their scopes. */
export type SecurityChoice = readonly { readonly scheme: Json; readonly scopes: readonly string[] }[];

/** The servers of an operation: its own servers, or else the servers of its path or of the document. */
export function serversOf({ document, node, pathItem }: ApiOperation): Json[] {
    const holder = [node, pathItem, document.root].find(({ servers }) => recordsOf(servers).length > 0);
    return recordsOf(holder?.["servers"]);
}

/** The servers with their variables, if there is a choice, or if there is a name, or the operation's own description. */
export function serversHtml(servers: readonly Json[], view: SchemaView): string {
    const [server, ...others] = servers;
    const isOfDocument = listOf(view.document.root["servers"]).includes(server);
    const texts = [server?.["name"], isOfDocument ? undefined : server?.["description"]];
    const isDescribed = texts.some((each) => textOf(each) !== undefined);
    const hasChoice = others.length > 0 || isRecord(server?.["variables"]) || isDescribed;
    const parts = servers.map(
        (server) =>
            nameLine(plainText(server["url"]), [textOf(server["name"])]) +
            view.textHtml(server["description"]) +
            view.variablesOf(server),
    );
    return hasChoice ? parts.join("") : "";
}

/** Returns the ways to authenticate. A request needs only one of the ways; an empty way means no authentication. */
export function securityOf({ document, node }: ApiOperation): SecurityChoice[] {
    return choicesOf(document, node["security"] ?? document.root["security"]);
}

/** The schemes in a list of alternatives, with the scopes that they need. */
export function choicesOf(document: HasRoot, given: unknown): SecurityChoice[] {
    const known = asRecord(asRecord(document.root["components"])["securitySchemes"]);
    return listOf(given).flatMap((each): SecurityChoice[] => {
        const wanted = resolveReference(document, each);
        if (wanted === undefined) {
            return [];
        }
        if (typeof wanted["type"] === "string") {
            // AsyncAPI 3 lists the schemes, or references to them.
            return [[{ scheme: wanted, scopes: listOf(wanted["scopes"]).map(plainText) }]];
        }
        const named = Object.entries(wanted).flatMap(([name, scopes]) => {
            const scheme = resolveReference(document, known[name]);
            return scheme === undefined ? [] : [{ scheme, scopes: listOf(scopes).map(plainText) }];
        });
        return [named];
    });
}

export function securityHtml(choices: readonly SecurityChoice[], view: SchemaView): string {
    const parts = choices.map((choice) =>
        choice.length === 0
            ? '<p class="field-values">None</p>'
            : choice.map(({ scheme, scopes }) => schemeHtml(scheme, scopes, view)).join(""),
    );
    return choices.some((choice) => choice.length > 0) ? parts.join('<p class="field-values">or</p>') : "";
}

/** The types of security schemes that authenticate an HTTP request; other types authenticate a connection. */
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
    const mark = scheme["deprecated"] === true ? ["deprecated"] : [];
    const discovery = [scheme["openIdConnectUrl"], scheme["oauth2MetadataUrl"]].map((url) => linkOf({ url })).join("");
    const flows = Object.entries(asRecord(scheme["flows"])).map(([flow, given]) => flowHtml(flow, asRecord(given)));
    return view.field(name, schema, true, [...place, kind, ...mark, ...needed]) + discovery + flows.join("");
}

function flowHtml(flow: string, given: Json): string {
    const addresses = ["authorizationUrl", "tokenUrl", "refreshUrl", "deviceAuthorizationUrl"].flatMap((key) =>
        typeof given[key] === "string" ? [`${key}: ${given[key]}`] : [],
    );
    const scopes = Object.entries(asRecord(given["scopes"] ?? given["availableScopes"])).map(
        ([scope, text]) => `${scope}: ${plainText(text)}`,
    );
    return sentence(`OAuth flow ${flow}:`, addresses) + sentence("Scopes:", scopes);
}

/** The links of a response to other operations. */
export function linksHtml(response: Json, { document }: SchemaView): string {
    return entriesOf(document, response["links"])
        .map(([name, { operationId, operationRef, parameters, requestBody, description, server }]) => {
            const target = [operationId, operationRef].find((value) => typeof value === "string") ?? "";
            const values = Object.entries(asRecord(parameters)).map(([key, value]) => `${key} = ${plainText(value)}`);
            const body = requestBody === undefined ? [] : [`body = ${jsonOf(requestBody)}`];
            const text = typeof description === "string" ? [description] : [];
            const { url, description: about } = asRecord(server);
            const on = [url, about].flatMap((each) => textOf(each) ?? []);
            const place = on.length === 0 ? [] : [`on ${on.join(", ")}`];
            return sentence("Link", [`${name}: ${target}`, ...text, ...place, ...values, ...body]);
        })
        .join("");
}
