import { pipeline } from "node:stream/promises";
import { type Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { type Entry, extract } from "tar-stream";

/** A file of a bundle. Read its content before the next file, or leave it. */
interface BundleFile {
    path: string;
    sizeBytes: number;
    stream: Readable;
    content: () => Promise<string>;
}

/** Yields the files of a gzipped archive without unpacking it. @throws when the archive is truncated or damaged */
export async function* readBundle(archive: Readable, signal: AbortSignal): AsyncGenerator<BundleFile> {
    const entries = extract();
    // The type is a streamx stream, which is compatible with pipeline.
    const sink = entries as unknown as NodeJS.WritableStream;
    const reading = pipeline([archive, createGunzip(), sink], { signal }).then(
        () => undefined,
        (error: unknown) => ({ error }),
    );
    try {
        for await (const entry of entries) {
            if (entry.header.type === "file") {
                yield fileOf(entry);
            }
            entry.resume();
        }
    } finally {
        entries.destroy();
        archive.destroy();
    }
    const failure = await reading;
    if (failure !== undefined) {
        throw failure.error;
    }
}

function fileOf(entry: Entry): BundleFile {
    // The type is a streamx stream, which is compatible.
    const stream = entry as unknown as Readable;
    return {
        path: entry.header.name.replace(/^\.\//, ""),
        sizeBytes: entry.header.size ?? 0,
        stream,
        content: () => text(stream),
    };
}
