import { entriesOf, type Json, nameOfReference, resolveReference } from "../documents/references.js";
import { asRecord, isRecord, textOf, listOf } from "../../text/json-values.js";
import { type AsyncChannel, type AsyncDocument } from "./async-document.js";

export interface AsyncOperation {
    readonly name: string;
    /**
     * The direction of messages from the application's point of view: in version 2, other parties `publish` the
     * messages that the application receives.
     */
    readonly action: "send" | "receive";
    readonly node: Json;
    readonly messages: readonly AsyncMessage[];
    readonly reply: AsyncReply | undefined;
}

export interface AsyncReply {
    readonly node: Json;
    /** The name of the reply's channel, if the document names one. */
    readonly channel: string | undefined;
    readonly messages: readonly AsyncMessage[];
}

export interface AsyncMessage {
    readonly title: string;
    /** The message's object, merged with its traits. */
    readonly node: Json;
    /** The operation's object in the document, which identifies the operation. */
    readonly source: Json;
}

/** The operations on a channel, in the order of the document. */
export function operationsOfChannel(channel: AsyncChannel): AsyncOperation[] {
    return channel.document.version === 2 ? operationsOfVersion2(channel) : operationsOfVersion3(channel);
}

/** The messages that the channel lists directly, as version 3 allows. */
export function messagesOfChannel({ document, node }: Pick<AsyncChannel, "document" | "node">): AsyncMessage[] {
    return Object.entries(asRecord(node["messages"])).flatMap(([key, given]) => messageOf(document, given, key));
}

function operationsOfVersion2({ document, node }: AsyncChannel): AsyncOperation[] {
    const actions = [
        ["publish", "receive"],
        ["subscribe", "send"],
    ] as const;
    return actions.flatMap(([key, action]): AsyncOperation[] => {
        const given = node[key];
        if (!isRecord(given)) {
            return [];
        }
        const operation = withTraits(document, given);
        const { message } = operation;
        const all = isRecord(message) && Array.isArray(message["oneOf"]) ? message["oneOf"] : [message];
        return [
            {
                name: textOf(operation["operationId"]) ?? key,
                action,
                node: operation,
                messages: all.flatMap((each) => messageOf(document, each)),
                reply: undefined,
            },
        ];
    });
}

function operationsOfVersion3(channel: AsyncChannel): AsyncOperation[] {
    const { document } = channel;
    return entriesOf(document, document.root["operations"]).flatMap(([name, node]): AsyncOperation[] => {
        if (resolveReference(document, node["channel"]) !== channel.node) {
            return [];
        }
        const operation = withTraits(document, node);
        return [
            {
                name,
                action: operation["action"] === "receive" ? "receive" : "send",
                node: operation,
                messages: listedMessages(document, operation) ?? messagesOfChannel(channel),
                reply: replyOf(document, resolveReference(document, operation["reply"])),
            },
        ];
    });
}

function replyOf(document: AsyncDocument, node: Json | undefined): AsyncReply | undefined {
    if (node === undefined) {
        return undefined;
    }
    const target = resolveReference(document, node["channel"]);
    const channel = document.subjects.find((each) => each.node === target);
    const messages = listedMessages(document, node) ?? messagesOfChannel({ document, node: target ?? {} });
    return { node, channel: channel?.title ?? textOf(target?.["address"]), messages };
}

function listedMessages(document: AsyncDocument, { messages }: Json): AsyncMessage[] | undefined {
    return Array.isArray(messages) ? messages.flatMap((each) => messageOf(document, each)) : undefined;
}

/** @param key the message's name in the document */
function messageOf(document: AsyncDocument, given: unknown, key = nameOfReference(given)): AsyncMessage[] {
    const source = resolveReference(document, given);
    if (source === undefined) {
        return [];
    }
    const node = withTraits(document, source);
    const title = textOf(node["title"]) ?? textOf(node["name"]) ?? key ?? textOf(node["messageId"]) ?? "Message";
    return [{ title, node, source }];
}

/** YAML aliases can make a value circular. */
const maxDepth = 30;

/**
 * An operation or a message merged with its traits. In version 2, the values of traits take precedence over the
 * object's own values; in version 3, the object's own values do.
 */
function withTraits(document: AsyncDocument, node: Json): Json {
    const traits = listOf(node["traits"]).flatMap((trait): Json[] => {
        const target = resolveReference(document, trait);
        return target === undefined ? [] : [target];
    });
    if (traits.length === 0) {
        return node;
    }
    const own = followed(document, node);
    const others = traits.map((trait) => followed(document, trait));
    const parts = document.version === 2 ? [own, ...others] : [...others, own];
    return parts.reduce<Json>((merged, part) => mergePatch(merged, part), {});
}

/** A reference is not merged: the result would mix two parts. */
function followed(document: AsyncDocument, node: Json): Json {
    return Object.fromEntries(
        Object.entries(node).map(([key, value]) => [key, resolveReference(document, value) ?? value]),
    );
}

/** JSON Merge Patch (RFC 7396). */
function mergePatch(target: Json, patch: Json, depth = 0): Json {
    const merged = new Map(Object.entries(target));
    for (const [key, value] of Object.entries(patch)) {
        if (value === null) {
            merged.delete(key);
        } else {
            const isMerged = isRecord(value) && depth < maxDepth;
            merged.set(key, isMerged ? mergePatch(asRecord(merged.get(key)), value, depth + 1) : value);
        }
    }
    return Object.fromEntries(merged);
}
