import { type ListedSubject, type ParsedDocument } from "../documents/parse-document.js";
import { entriesOf, type Json, resolveReference } from "../documents/references.js";
import { type ReadDocument, type Wanted, withSource } from "../documents/site-documents.js";
import { listOf, textOf } from "../../text/json-values.js";

/** An AsyncAPI 2 or 3 document of the site. */
export interface AsyncDocument extends ReadDocument<AsyncChannel> {
    /** Operations, messages and security schemes have different places in the two versions. */
    readonly version: 2 | 3;
}

export interface AsyncChannel extends ListedSubject {
    readonly kind: "channel";
    readonly document: AsyncDocument;
    /** The channel's key in the document. */
    readonly name: string;
    /** The address for the channel's messages; undefined if the application chooses it at run time. */
    readonly address: string | undefined;
    readonly node: Json;
}

/** The channels of a document; undefined for a document that is not AsyncAPI. */
export function readAsyncDocument(parsed: ParsedDocument): AsyncDocument | undefined {
    const { root } = parsed;
    if (root["asyncapi"] === undefined) {
        return undefined;
    }
    const [, version] = /^"?([23])\b/.exec(JSON.stringify(root["asyncapi"])) ?? [];
    const subjects: AsyncChannel[] = [];
    const problems =
        version === undefined ? ["only AsyncAPI 2 and 3 are supported, so parts of this document may be missing"] : [];
    const document: AsyncDocument = {
        ...parsed,
        version: version === "2" ? 2 : 3,
        subjects,
        problems,
    };
    subjects.push(...entriesOf(document, root["channels"]).map(([name, node]) => channelOf(document, name, node)));
    const nodes = new Set<unknown>(subjects.map(({ node }) => node));
    for (const [name, { channel }] of version === "3" ? entriesOf(document, root["operations"]) : []) {
        if (!nodes.has(resolveReference(document, channel))) {
            problems.push(`the operation ${name} is on no page, because channels does not contain its channel`);
        }
    }
    return document;
}

/** A channel's name or address, optionally preceded by the document: `asyncapi.yaml chat`. */
export function channelNamed(wanted: string): Wanted<AsyncDocument, AsyncChannel> {
    const { source, name } = withSource(wanted);
    return {
        source,
        look: ({ subjects }) =>
            subjects.find((each) => each.name === name) ?? subjects.find(({ address }) => address === name),
    };
}

function channelOf(document: AsyncDocument, name: string, node: Json): AsyncChannel {
    const title = textOf(node["title"]) ?? name;
    const [tag] = listOf(node["tags"]).map((each) => textOf(resolveReference(document, each)?.["name"]));
    return {
        kind: "channel",
        document,
        file: document.file,
        name,
        address: document.version === 2 ? name : textOf(node["address"]),
        title,
        names: [title.replace(/[^\p{L}\p{N}{}-]+/gu, " ").trim(), "channel"],
        route: undefined,
        description: textOf(node["description"]) ?? textOf(node["summary"]),
        tag: tag ?? "",
        group: tag,
        isHidden: false,
        node,
        digest: `${document.digest}\0channel\0${name}`,
    };
}
