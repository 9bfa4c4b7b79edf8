import { decodeUri } from "@pulumi-static-export/contract";
import { posix } from "node:path";
import { isRecord } from "../../text/json-values.js";
import { contentOf } from "./document-content.js";

/** The paths in the site that the references in a document's file may mean. */
export function placesNamedIn(text: string, file: string, domain: string): string[] {
    return [...addressesIn(text)].flatMap((address) => placesOf(address, file, domain));
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
