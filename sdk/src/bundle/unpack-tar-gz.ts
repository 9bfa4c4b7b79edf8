import { type Readable, Transform, type TransformCallback } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { type Entry, extract } from "tar-stream";
import { BundleError } from "../errors/index.js";
import { quoteName } from "./entry-path.js";
import type { SiteWriter } from "./site-writer.js";

/** Larger than the default of 16 KiB, whose many callbacks take a fifth of the CPU time of unpacking. */
const chunkSize = 256 * 1024;

/** Limits headers and padding between two entries, to refuse archives that consist of nothing else. */
const maxBytesBetweenEntries = 1024 * 1024;

/** Fails when the archive contains more bytes than its entries so far need. */
class EntryGate extends Transform {
    readonly #writer: SiteWriter;
    #passedBytes = 0;
    #allowedBytes = maxBytesBetweenEntries;

    constructor(writer: SiteWriter) {
        super();
        this.#writer = writer;
    }

    allowEntry(bytes: number): void {
        this.#allowedBytes = this.#passedBytes + bytes + maxBytesBetweenEntries;
    }

    override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
        this.#passedBytes += chunk.length;
        try {
            this.#writer.occupy(chunk.length);
            if (this.#passedBytes > this.#allowedBytes) {
                throw new BundleError("corrupt", "the archive has too much padding");
            }
            done(null, chunk);
        } catch (error) {
            done(error as BundleError);
        }
    }
}

/** Unpacks a gzipped tar archive. */
export async function unpackTarGz(
    archive: Readable,
    signal: AbortSignal | undefined,
    writer: SiteWriter,
): Promise<void> {
    const gate = new EntryGate(writer);
    const entries = extract();
    // The type is a streamx stream, which is compatible with pipeline.
    const sink = entries as unknown as NodeJS.WritableStream;
    const reading = pipeline(
        [archive, createGunzip({ chunkSize }), gate, sink],
        signal === undefined ? {} : { signal },
    );
    // A failure also ends the loop below; the promise is awaited after the loop.
    const readFailure = reading.then(
        () => undefined,
        (error: unknown) => ({ error }),
    );
    try {
        for await (const entry of entries) {
            gate.allowEntry(entry.header.size ?? 0);
            await addEntry(entry, writer);
            entry.resume();
        }
    } catch (error) {
        entries.destroy();
        await readFailure;
        throw error;
    }
    const failure = await readFailure;
    if (failure !== undefined) {
        throw failure.error;
    }
}

async function addEntry(entry: Entry, writer: SiteWriter): Promise<void> {
    const { name, type, mtime } = entry.header;
    // null if the header lacks the field, although the type excludes null.
    const linkname = (entry.header.linkname as string | null) ?? "";
    switch (type) {
        case "file":
            return writer.addFile(name, entry as AsyncIterable<Uint8Array>, mtime);
        case "directory":
            return writer.addFolder(name);
        case "symlink":
            return writer.addSymbolicLink(name, linkname);
        case "link":
            return writer.addHardLink(name, linkname);
        case "character-device":
        case "block-device":
        case "fifo":
        case "contiguous-file":
        default:
            throw new BundleError("unsafe-entry", `the entry ${quoteName(name)} is not a file, folder or link`);
    }
}
