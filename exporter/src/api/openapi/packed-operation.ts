import { inflateSync } from "node:zlib";
import { asRecord, isRecord } from "../../text/json-values.js";
import { parseDocument } from "../documents/parse-document.js";
import { maxDocumentBytes } from "../documents/site-documents.js";
import { type ApiOperation, readApiDocument } from "./api-document.js";

/** The first Base64 characters of zlib-compressed data. */
const compressed = /^eJ[\w+/]{20,}={0,2}$/;

/**
 * Reads the operation of a page that docusaurus-openapi-docs has generated. The page's front matter contains the
 * operation as compressed JSON, with the document's servers and security schemes, and without references. Returns
 * undefined for any other page.
 *
 * https://github.com/PaloAltoNetworks/docusaurus-openapi-docs
 */
export function packedOperation(
    file: string,
    packed: string | undefined,
    { isWhole }: { readonly isWhole: boolean },
): ApiOperation | undefined {
    const text = packed === undefined || !compressed.test(packed) ? undefined : documentOf(packed);
    const parsed = text === undefined ? undefined : parseDocument(`${file}.json`, () => text, isWhole);
    return parsed && readApiDocument({ ...parsed, file })?.parts[0];
}

/** A document with only this operation; undefined for other data. */
function documentOf(packed: string): string | undefined {
    let unpacked: unknown;
    try {
        const bytes = inflateSync(Buffer.from(packed, "base64"), { maxOutputLength: maxDocumentBytes });
        unpacked = JSON.parse(bytes.toString("utf8"));
    } catch {
        return undefined;
    }
    const { method, path, info, servers, security, securitySchemes, ...operation } = asRecord(unpacked);
    if (typeof method !== "string" || typeof path !== "string" || !isRecord(operation["responses"])) {
        return undefined;
    }
    const paths = { [path]: { [method.toLowerCase()]: operation } };
    const components = { securitySchemes: asRecord(securitySchemes) };
    return JSON.stringify({ openapi: "3.1.0", info: asRecord(info), servers, security, components, paths });
}
