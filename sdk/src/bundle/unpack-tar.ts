import { type Readable, Transform, type TransformCallback } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract, type ExtractEvents } from "tar-stream";
import { BundleError } from "../errors/index.js";
import { quoteName } from "./entry-path.js";
import type { SiteWriter } from "./site-writer.js";

/** Headers and padding between two entries; what is longer is a bomb of nothing but headers or zeros. */
const mostBytesBetweenEntries = 1024 * 1024;

/** Lets through what the entries so far account for. */
class EntryGate extends Transform {
    #passedBytes = 0;
    #allowedBytes = mostBytesBetweenEntries;

    allowEntry(bytes: number): void {
        this.#allowedBytes = this.#passedBytes + bytes + mostBytesBetweenEntries;
    }

    override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
        this.#passedBytes += chunk.length;
        if (this.#passedBytes > this.#allowedBytes) {
            done(new BundleError("too-many-bytes", "the archive is padded beyond measure"));
        } else {
            done(null, chunk);
        }
    }
}

/** Unpacks a tar archive, gzipped or not. */
export async function unpackTar(
    archive: Readable,
    { gzipped, signal }: { gzipped: boolean; signal: AbortSignal | undefined },
    writer: SiteWriter,
): Promise<void> {
    const gate = new EntryGate();
    const entries = extract();
    // Typed after streamx, which is a Node stream in all that pipeline needs.
    const sink = entries as unknown as NodeJS.WritableStream;
    const streams = gzipped ? [archive, createGunzip(), gate, sink] : [archive, gate, sink];
    const reading = pipeline(streams, signal === undefined ? {} : { signal });
    // Its failure also ends the loop below, which is where it is awaited in any case.
    const readFailure = reading.then(
        () => undefined,
        (error: unknown) => ({ error }),
    );
    try {
        for await (const entry of entries) {
            gate.allowEntry(entry.header.size);
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

type Entry = ExtractEvents["entry"][1];

async function addEntry(entry: Entry, writer: SiteWriter): Promise<void> {
    const { name, type } = entry.header;
    // null where the header has none, whatever the type says.
    const linkname = (entry.header.linkname as string | null) ?? "";
    switch (type) {
        case "file":
        case "contiguous-file":
            return writer.addFile(name, entry as AsyncIterable<Uint8Array>);
        case "directory":
            return writer.addFolder(name);
        case "symlink":
            return writer.addSymbolicLink(name, linkname);
        case "link":
            return writer.addHardLink(name, linkname);
        case "character-device":
        case "block-device":
        case "fifo":
        default:
            throw new BundleError("unsafe-entry", `the entry ${quoteName(name)} is neither file, folder nor link`);
    }
}
