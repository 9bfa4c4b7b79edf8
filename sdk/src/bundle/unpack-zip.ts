import { crc32 } from "node:zlib";
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from "yauzl";
import { BundleError } from "../errors/index.js";
import { quoteName } from "./entry-path.js";
import type { SiteWriter } from "./site-writer.js";

const longestLinkTarget = 4096;
/** The file type bits of a Unix mode, as zip archives carry them in the upper half of the external attributes. */
const fileType = { mask: 0o170000, none: 0, file: 0o100000, folder: 0o040000, link: 0o120000 };

/** Unpacks a zip archive. */
export async function unpackZip(
    archivePath: string,
    signal: AbortSignal | undefined,
    writer: SiteWriter,
): Promise<void> {
    // Names stay undecoded so that they are judged by our own rules, and with a typed error.
    const zip = await openPromise(archivePath, { decodeStrings: false, autoClose: false });
    try {
        for await (const entry of zip.eachEntry()) {
            signal?.throwIfAborted();
            await addEntry(zip, entry, signal, writer);
        }
    } finally {
        zip.close();
    }
}

async function addEntry(
    zip: ZipFile,
    entry: Entry,
    signal: AbortSignal | undefined,
    writer: SiteWriter,
): Promise<void> {
    const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);
    const type = (entry.externalFileAttributes >>> 16) & fileType.mask;
    if (entry.isEncrypted()) {
        throw new BundleError("unsafe-entry", `the entry ${quoteName(name)} is encrypted`);
    }
    if (name.endsWith("/") && (type === fileType.none || type === fileType.folder)) {
        return writer.addFolder(name);
    }
    if (type === fileType.link) {
        return writer.addSymbolicLink(name, await readLinkTarget(readContent(zip, entry, name, signal), name));
    }
    if (type !== fileType.none && type !== fileType.file) {
        throw new BundleError("unsafe-entry", `the entry ${quoteName(name)} is neither file, folder nor link`);
    }
    return writer.addFile(name, readContent(zip, entry, name, signal));
}

/** The content, whose checksum yauzl leaves to us. */
async function* readContent(
    zip: ZipFile,
    entry: Entry,
    name: string,
    signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
    const stream = await zip.openReadStreamPromise(entry);
    let checksum = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
        signal?.throwIfAborted();
        checksum = crc32(chunk, checksum);
        yield chunk;
    }
    if (checksum !== entry.crc32) {
        throw new BundleError("corrupt", `the entry ${quoteName(name)} does not match its checksum`);
    }
}

async function readLinkTarget(content: AsyncIterable<Buffer>, name: string): Promise<string> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of content) {
        bytes += chunk.length;
        if (bytes > longestLinkTarget) {
            throw new BundleError("unsafe-link", `the link ${quoteName(name)} has a target that is too long`);
        }
        chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString("utf8");
}
