import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, rmSync, writeFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { replaceFile } from "@pulumi-static-export/contract/replace-file";
import { type GzipSegment, GzipSegments } from "./gzip-segments.js";
import { type SiteOutput } from "./site-output.js";
import { tarEnd, tarHeader, tarPadding } from "./tar-header.js";

export interface BundleInfo {
    readonly sizeBytes: number;
    /** The digest of the archive, in lower-case hexadecimal. */
    readonly sha256: string;
}

const blockBytes = 256 * 1024;

/**
 * Times between November 2001 and May 2002, which compress well because they begin with the same digits in all headers.
 */
const times = { firstSecond: 0o7400000000, seconds: 2 ** 24 };

/**
 * The modification time of a file, which depends only on the file's name and content. Servers derive ETags from size
 * and time, so readers reload only changed files.
 * @param checksum of the name and the content
 */
function mtimeOf(checksum: number): number {
    return times.firstSecond + (checksum % times.seconds);
}

/**
 * Packs files into one `tar.gz` whose bytes depend only on their names, contents and order, not on times, owners or
 * modes. The archive appears under its name only when it is complete; after a failure, no file remains.
 */
export class ArchiveOutput implements SiteOutput {
    readonly #gzip = new GzipSegments((bytes) => this.#append(bytes));
    readonly #hash = createHash("sha256");
    #descriptor: number | undefined;
    #sizeBytes = 0;

    constructor(private readonly path: string) {}

    async write(file: string, content: string | Uint8Array): Promise<void> {
        const bytes =
            typeof content === "string"
                ? Buffer.from(content)
                : Buffer.from(content.buffer, content.byteOffset, content.length);
        const header = tarHeader(file, bytes.length, mtimeOf(crc32(bytes, crc32(file))));
        await this.#gzip.add([header, bytes, tarPadding(bytes.length)]);
    }

    async copy(file: string, descriptor: number): Promise<void> {
        try {
            const { size } = fstatSync(descriptor);
            let checksum = crc32(file);
            for (const block of blocksOf(file, descriptor, size)) {
                checksum = crc32(block, checksum);
            }
            await this.#gzip.add([tarHeader(file, size, mtimeOf(checksum))]);
            for (const block of blocksOf(file, descriptor, size)) {
                await this.#gzip.add([block]);
            }
            await this.#gzip.add([tarPadding(size)]);
        } finally {
            closeSync(descriptor);
        }
    }

    /** Begins a segment. @returns a digest of everything except its files that the segment's bytes depend on */
    beginSegment(): Promise<string> {
        return this.#gzip.beginSegment();
    }

    /** Ends a segment. @returns the bytes of the segment, for a later archive */
    endSegment(): Promise<{ readonly whole: Promise<GzipSegment> }> {
        return this.#gzip.endSegment();
    }

    /** Ends a segment, so that later segments do not depend on it. */
    forgetSegment(): Promise<void> {
        return this.#gzip.forget();
    }

    /** Repeats a segment of an earlier archive, which began with the same digest. */
    repeat(segment: GzipSegment): Promise<void> {
        return this.#gzip.repeat(segment);
    }

    async finish(): Promise<BundleInfo> {
        await this.#gzip.add([tarEnd]);
        await this.#gzip.finish();
        this.#close();
        await replaceFile(this.#unfinished, this.path);
        return { sizeBytes: this.#sizeBytes, sha256: this.#hash.digest("hex") };
    }

    /** Removes an incomplete archive. Nothing more is written after the promise resolves. */
    async settle(): Promise<void> {
        await this.#gzip.settle();
        this.#close();
        rmSync(this.#unfinished, { force: true });
    }

    get #unfinished(): string {
        return `${this.path}.partial`;
    }

    /** Does not use the thread pool, which would take longer to start a write than the write itself. */
    #append(bytes: Buffer): void {
        this.#descriptor ??= openSync(this.#unfinished, "w");
        writeFileSync(this.#descriptor, bytes);
        this.#sizeBytes += bytes.length;
        this.#hash.update(bytes);
    }

    #close(): void {
        const descriptor = this.#descriptor;
        // After an error, too, the number may belong to another file.
        this.#descriptor = undefined;
        if (descriptor !== undefined) {
            closeSync(descriptor);
        }
    }
}

/** Yields exactly the number of bytes that the file's header gives. */
function* blocksOf(file: string, descriptor: number, size: number): Generator<Buffer> {
    for (let start = 0; start < size;) {
        const block = Buffer.alloc(Math.min(blockBytes, size - start));
        const count = readSync(descriptor, block, 0, block.length, start);
        if (count === 0) {
            throw new Error(`${file} became shorter while it was read`);
        }
        start += count;
        yield block.subarray(0, count);
    }
}
