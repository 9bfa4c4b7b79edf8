import { labelsHtml } from "../openapi/schema/schema-notes.js";
import { type Json, resolveReference } from "../openapi/document/references.js";
import { choicesOf, securityHtml, type SecurityChoice } from "../openapi/operation/operation-parts.js";
import { escapeHtml } from "../text/html-text.js";
import { asRecord, isRecord, listOf, textOf } from "../text/json-values.js";
import { type AsyncChannel, type AsyncDocument } from "./async-document.js";
import { furtherParts, wordsOf, type AsyncView } from "./described-parts.js";

interface AsyncServer {
    readonly name: string;
    readonly node: Json;
}

/** The servers of a channel: those that it names, or else all of the document. */
export function serversOf({ document, node }: AsyncChannel): AsyncServer[] {
    const named = listOf(node["servers"]).map((each) => (isRecord(each) ? resolveReference(document, each) : each));
    return Object.entries(asRecord(document.root["servers"])).flatMap(([name, given]): AsyncServer[] => {
        const server = resolveReference(document, given);
        return server === undefined || (named.length > 0 && !named.includes(name) && !named.includes(server))
            ? []
            : [{ name, node: server }];
    });
}

/** The protocols of a channel's servers, each once. */
export function protocolsOf(channel: AsyncChannel): string[] {
    return [...new Set(serversOf(channel).flatMap(({ node }) => textOf(node["protocol"]) ?? []))];
}

export function serverHtml({ name, node }: AsyncServer, view: AsyncView): string {
    const { protocol, protocolVersion } = node;
    const labels = [textOf(node["title"]) ?? name, [protocol, protocolVersion].filter(isText).join(" ")];
    const variables = Object.entries(asRecord(node["variables"])).map(([variable, given]) =>
        view.schemas.field(variable, { type: "string", ...resolveReference(view.document, given) }, false, [], []),
    );
    return [
        `<p class="field-name"><code>${escapeHtml(addressOf(node))}</code>${labelsHtml(labels)}</p>`,
        wordsOf(node, view),
        ...variables,
        securityHtml(securityChoices(view.document, node["security"]), view.schemas),
        furtherParts(node, view),
    ].join("");
}

/** The alternatives of which a connection or an operation needs one. */
export function securityChoices(document: AsyncDocument, given: unknown): SecurityChoice[] {
    if (document.version === 2) {
        return choicesOf(document, given);
    }
    return listOf(given).flatMap((each): SecurityChoice[] => {
        const scheme = resolveReference(document, each);
        return scheme === undefined ? [] : [[{ scheme, scopes: listOf(scheme["scopes"]).map(String) }]];
    });
}

/** Version 2 has the whole address, version 3 its parts. */
function addressOf({ url, protocol, host, pathname }: Json): string {
    return typeof url === "string" ? url : [protocol, "://", host, pathname].filter(isText).join("");
}

function isText(value: unknown): value is string {
    return typeof value === "string";
}
