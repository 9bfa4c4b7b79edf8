import { nameLine } from "../parts/schema-notes.js";
import { entriesOf, type Json, resolveReference } from "../documents/references.js";
import { choicesOf, securityHtml } from "../openapi/operation-parts.js";
import { type SchemaView } from "../parts/schema-view.js";
import { isRecord, listOf, textOf } from "../../text/json-values.js";
import { type AsyncChannel } from "./async-document.js";
import { furtherParts } from "./further-parts.js";

interface AsyncServer {
    readonly name: string;
    readonly node: Json;
}

/** The servers of a channel: those that it names, or else all of the document. */
export function serversOf({ document, node }: AsyncChannel): AsyncServer[] {
    const named = listOf(node["servers"]).map((each) => (isRecord(each) ? resolveReference(document, each) : each));
    const all = entriesOf(document, document.root["servers"]).map(([name, server]) => ({ name, node: server }));
    return named.length === 0
        ? all
        : all.filter((server) => named.includes(server.name) || named.includes(server.node));
}

/** The protocols of servers, each once. */
export function protocolsOf(servers: readonly AsyncServer[]): string[] {
    return [...new Set(servers.flatMap(({ node }) => textOf(node["protocol"]) ?? []))];
}

export function serverHtml({ name, node }: AsyncServer, view: SchemaView): string {
    const { protocol, protocolVersion } = node;
    const labels = [textOf(node["title"]) ?? name, [protocol, protocolVersion].filter(isText).join(" ")];
    return [
        nameLine(addressOf(node), labels),
        view.wordsOf(node),
        view.variablesOf(node),
        securityHtml(choicesOf(view.document, node["security"]), view),
        furtherParts(node, view),
    ].join("");
}

/** Version 2 has the whole address, version 3 its parts. */
function addressOf({ url, protocol, host, pathname }: Json): string {
    return typeof url === "string" ? url : [protocol, "://", host, pathname].filter(isText).join("");
}

function isText(value: unknown): value is string {
    return typeof value === "string";
}
