import { decodeUri } from "@pulumi-static-export/contract";
import { posix } from "node:path";
import { type FoundFiles } from "../../read/files/found-files.js";
import { isRecord } from "../../text/json-values.js";
import { contentOf } from "./read-document-files.js";
import { maxDocumentBytes } from "./site-documents.js";

/**
 * A document's file, and all files of the site that it refers to, directly or through other files. The list contains
 * more files than pages show, such as examples and unreadable files.
 */
export function filesOfDocument(file: string, domain: string, content: FoundFiles): ReadonlySet<string> {
    const files = new Set([file]);
    for (const name of files) {
        const text = content.bytesOf(name) <= maxDocumentBytes ? content.readText(name, maxDocumentBytes) : "";
        for (const address of addressesIn(text)) {
            placesOf(address, name, domain)
                .filter((place) => content.has(place))
                .forEach((place) => files.add(place));
        }
    }
    return files;
}

/** The references in a file. A mistake, such as a key that occurs twice, hides a reference from the parsed content. */
function* addressesIn(text: string): Generator<string> {
    yield* addressesOf(contentOf(text));
    for (const [, address = ""] of text.matchAll(/(?:\$ref|externalValue)["']?\s*:\s*["']?([^\s"']+)/g)) {
        yield address;
    }
}

/** All references within a document. */
function* addressesOf(root: unknown): Generator<string> {
    const values = new Set([root]);
    for (const value of values) {
        if (typeof value === "object" && value !== null) {
            Object.values(value).forEach((each: unknown) => values.add(each));
        }
        if (isRecord(value)) {
            const { $ref, externalValue, mapping } = value;
            const all = [$ref, externalValue, ...Object.values(isRecord(mapping) ? mapping : {})];
            yield* all.filter((each) => typeof each === "string");
        }
    }
}

/**
 * The possible paths of a reference's target: relative to the file's folder, to the site's folder or to the site's
 * address.
 */
function placesOf(address: string, from: string, domain: string): string[] {
    const [written = ""] = address.split(/[?#]/, 1);
    const [, host, below] = /^https?:\/\/([^/:]+)(?::\d+)?(\/.*)$/i.exec(written) ?? [];
    const path = decodeUri(host?.toLowerCase() === domain ? (below ?? "") : written);
    return path === "" ? [] : [posix.join(posix.dirname(from), path), posix.join("/", path).slice(1)];
}
