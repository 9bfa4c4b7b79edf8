import { routeBelow } from "../openapi/document/made-pages.js";
import { type DescribedPart, type ParsedDocument } from "../openapi/document/parse-document.js";
import { type Json, resolveReference } from "../openapi/document/references.js";
import { asRecord, listOf, textOf } from "../text/json-values.js";

/** An AsyncAPI 2 or 3 document of the site. */
export interface AsyncDocument extends ParsedDocument {
    readonly file: string;
    /** They differ in where operations, messages and schemes of security stand. */
    readonly version: 2 | 3;
    readonly channels: readonly AsyncChannel[];
    readonly problems: readonly string[];
}

export interface AsyncChannel extends DescribedPart {
    readonly kind: "channel";
    readonly document: AsyncDocument;
    /** Its key in the document. */
    readonly name: string;
    /** Where messages go; undefined for one that is made while the application runs. */
    readonly address: string | undefined;
    readonly description: string | undefined;
    readonly tag: string;
    readonly node: Json;
}

/** The channels of a document; undefined where it is none of AsyncAPI. */
export function readAsyncDocument(file: string, parsed: ParsedDocument): AsyncDocument | undefined {
    const { root } = parsed;
    if (root["asyncapi"] === undefined) {
        return undefined;
    }
    const [, version] = /^"?([23])\b/.exec(JSON.stringify(root["asyncapi"])) ?? [];
    const channels: AsyncChannel[] = [];
    const document: AsyncDocument = {
        ...parsed,
        file,
        version: version === "2" ? 2 : 3,
        channels,
        problems:
            version === undefined ? ["only AsyncAPI 2 and 3 are supported; parts of this document may be missing"] : [],
    };
    for (const [name, given] of Object.entries(asRecord(root["channels"]))) {
        const node = resolveReference(document, given);
        if (node !== undefined) {
            channels.push(channelOf(document, name, node));
        }
    }
    return document;
}

function channelOf(document: AsyncDocument, name: string, node: Json): AsyncChannel {
    const { address } = node;
    const [tag] = listOf(node["tags"]).map((each) => textOf(resolveReference(document, each)?.["name"]));
    return {
        kind: "channel",
        document,
        file: document.file,
        name,
        address: document.version === 2 ? name : textOf(address),
        title: textOf(node["title"]) ?? name,
        description: textOf(node["description"]) ?? textOf(node["summary"]),
        tag: tag ?? "",
        node,
        digest: `${document.digest}\0channel\0${name}`,
    };
}

/** The address of a channel's page: below the folder, by its tag and its title. */
export function routeOfChannel({ title, tag }: AsyncChannel, folder: string): string {
    return routeBelow(folder, tag, title.replace(/[^\p{L}\p{N}{}-]+/gu, " ").trim()) ?? `${folder}/channel`;
}
