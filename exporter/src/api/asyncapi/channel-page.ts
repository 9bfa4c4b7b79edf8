import { accordion } from "../../html/accordion.js";
import { ApiSections, deprecationOf, exampleGroup } from "../parts/api-sections.js";
import { entriesOf, resolveReference, type Json } from "../documents/references.js";
import { choicesOf, securityHtml } from "../openapi/operation-parts.js";
import { nameLine, sentence } from "../parts/schema-notes.js";
import { type ApiContext } from "../parts/api-context.js";
import { SchemaView } from "../parts/schema-fields.js";
import { type RenderedBody } from "../../html/rendered-body.js";
import { escapeHtml } from "../../text/html-text.js";
import { textOf, isRecord, listOf } from "../../text/json-values.js";
import { type AsyncChannel } from "./async-document.js";
import {
    type AsyncMessage,
    type AsyncOperation,
    type AsyncReply,
    messagesOfChannel,
    operationsOfChannel,
} from "./channel-operations.js";
import { furtherParts } from "./further-parts.js";
import { examplesOf, messageHtml } from "./message-view.js";

/** Says who sends the messages, because the document describes the application, not the reader. */
const actions = {
    send: ["send", "The API sends; clients receive."],
    receive: ["receive", "The API receives; clients send."],
} as const;

/** Adds a channel to its page: address, servers, parameters, operations and messages with their examples. */
export function renderChannel(channel: AsyncChannel, body: RenderedBody, context: ApiContext): RenderedBody {
    const { document, node, address } = channel;
    const view = new SchemaView(document, context);
    const sections = new ApiSections(view);
    const operations = operationsOfChannel(channel);
    const messages = messagesIn(channel, operations);
    const servers = serversOf(channel);
    const protocols = protocolsOf(servers).map((protocol) => `<span class="method">${escapeHtml(protocol)}</span>`);
    const place =
        address === undefined ? "<span>address chosen at run time</span>" : `<code>${escapeHtml(address)}</code>`;
    const about = [
        `<p class="operation">${protocols.join(" ")} ${place}${deprecationOf(node)}</p>`,
        view.wordsOf(node, 2),
    ].join("\n");
    const examples = exampleGroup(
        "Message",
        messages.flatMap((message) => examplesOf(message, view)),
    );
    const html = [
        about,
        body.html,
        sections.add("servers", "Servers", servers.map((server) => serverHtml(server, view)).join("")),
        sections.add("parameters", "Parameters", parametersHtml(channel, view)),
        sections.add("operations", "Operations", operations.map((each) => operationHtml(each, view)).join("")),
        sections.add(
            "messages",
            "Messages",
            messages.map((message, index) => messageBox(message, index === 0, operations, view)).join(""),
            examples,
        ),
        sections.add("more", "More", furtherParts(node, view)),
    ];
    return sections.inPage(body, { about, description: channel.description, html, beside: examples });
}

/** The messages of the operations, of their replies and of the channel itself, without duplicates. */
function messagesIn(channel: AsyncChannel, operations: readonly AsyncOperation[]): AsyncMessage[] {
    const all = operations.flatMap(({ messages, reply }) => [...messages, ...(reply?.messages ?? [])]);
    return [...new Map([...all, ...messagesOfChannel(channel)].map((message) => [message.source, message])).values()];
}

function parametersHtml({ document, node }: AsyncChannel, view: SchemaView): string {
    return entriesOf(document, node["parameters"])
        .map(([name, { schema, location, ...own }]) => {
            const notes = textOf(location) === undefined ? [] : [`from ${String(location)}`];
            const described = schema === undefined ? { type: "string", ...own } : { allOf: [schema], ...own };
            return view.field(name, described, true, notes);
        })
        .join("");
}

function operationHtml({ name, action, node, messages, reply }: AsyncOperation, view: SchemaView): string {
    const [label, sense] = actions[action];
    const content = [
        nameLine(name, [label, textOf(node["title"])]),
        view.wordsOf(node),
        sentence(sense, namesOf(messages)),
        reply === undefined ? "" : replyHtml(reply, view),
        securityHtml(choicesOf(view.document, node["security"]), view),
        furtherParts(node, view),
    ];
    return `<div class="field">${content.join("")}</div>`;
}

function replyHtml({ node, channel, messages }: AsyncReply, view: SchemaView): string {
    const address = resolveReference(view.document, node["address"]) ?? {};
    const facts = [
        ...(channel === undefined ? [] : [`on ${channel}`]),
        ...[address["location"], address["description"]].flatMap((text) => textOf(text) ?? []),
        ...namesOf(messages),
    ];
    return sentence("Reply:", facts);
}

function namesOf(messages: readonly AsyncMessage[]): string[] {
    return messages.length === 0 ? [] : [messages.map(({ title }) => title).join(", ")];
}

function messageBox(
    message: AsyncMessage,
    isOpen: boolean,
    operations: readonly AsyncOperation[],
    view: SchemaView,
): string {
    const { source, title } = message;
    const isIn = (messages: readonly AsyncMessage[] = []) => messages.some((each) => each.source === source);
    const uses = operations.flatMap(({ action, messages, reply }) => [
        ...(isIn(messages) ? [actions[action][0]] : []),
        ...(isIn(reply?.messages) ? ["reply"] : []),
    ]);
    const labels = [...new Set(uses)].map((label) => ` <span class="badge">${label}</span>`);
    const summary = escapeHtml(title) + labels.join("") + deprecationOf(message.node);
    return accordion(summary, messageHtml(message, view), isOpen);
}

interface AsyncServer {
    readonly name: string;
    readonly node: Json;
}

/** The servers that a channel names, or all servers of the document if the channel names none. */
function serversOf({ document, node }: AsyncChannel): AsyncServer[] {
    const named = listOf(node["servers"]).map((each) => (isRecord(each) ? resolveReference(document, each) : each));
    const all = entriesOf(document, document.root["servers"]).map(([name, server]) => ({ name, node: server }));
    return named.length === 0
        ? all
        : all.filter((server) => named.includes(server.name) || named.includes(server.node));
}

/** The protocols of servers, without duplicates. */
function protocolsOf(servers: readonly AsyncServer[]): string[] {
    return [...new Set(servers.flatMap(({ node }) => textOf(node["protocol"]) ?? []))];
}

function serverHtml({ name, node }: AsyncServer, view: SchemaView): string {
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

/** In version 2, a server contains its whole address; in version 3, the parts of the address. */
function addressOf({ url, protocol, host, pathname }: Json): string {
    return typeof url === "string" ? url : [protocol, "://", host, pathname].filter(isText).join("");
}

function isText(value: unknown): value is string {
    return typeof value === "string";
}
