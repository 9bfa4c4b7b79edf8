import { createHash } from "node:crypto";
import { closeSync, createWriteStream, fstatSync, readSync, renameSync, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { crc32, createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { type SiteOutput } from "./site-output.js";

export interface BundleInfo {
    readonly sizeBytes: number;
    /** The digest of the archive, in lower-case hexadecimal. */
    readonly sha256: string;
}

/** The compressor processes each block in one turn of another thread. */
const blockBytes = 256 * 1024;

/** Rendering pauses when more than this waits for the compressor. */
const maxWaitingBytes = 4 * blockBytes;

/** The position of the operating system in gzip's header, and the value for "unknown". */
const [systemByte, unknownSystem] = [9, 0xff];

/** From November 2001, for half a year: the first digits of all times are the same, so that headers compress well. */
const times = { firstSecond: 0o7400000000, seconds: 2 ** 24 };

/**
 * The modification time of a file, which depends only on its name and content: servers make ETags from size and time,
 * so readers reload only changed files.
 * @param checksum of the name and the content
 */
function mtimeOf(checksum: number): Date {
    return new Date((times.firstSecond + (checksum % times.seconds)) * 1000);
}

/**
 * Packs files into one `tar.gz` whose bytes depend only on their names, contents and order, not on times, owners or
 * modes. The archive appears under its name only when it is complete; when anything fails, nothing is left behind.
 */
export class ArchiveOutput implements SiteOutput {
    readonly #tar = pack({ highWaterMark: maxWaitingBytes });
    readonly #hash = createHash("sha256");
    readonly #written: Promise<void>;
    #sizeBytes = 0;

    constructor(private readonly path: string) {
        this.#written = pipeline(
            this.#tar,
            inBlocks,
            createGzip({ chunkSize: blockBytes }),
            (chunks) => this.#measured(chunks),
            createWriteStream(this.#unfinished),
        );
        // The next writer gets the error.
        this.#written.catch(() => undefined);
    }

    async write(file: string, content: string): Promise<void> {
        const bytes = Buffer.from(content);
        const header = { name: file, mtime: mtimeOf(crc32(bytes, crc32(file))) };
        await this.#unlessFailed(
            () =>
                new Promise((resolve, reject) => {
                    this.#tar.entry(header, bytes, (error) => (error ? reject(error) : resolve()));
                }),
        );
    }

    async copy(file: string, descriptor: number): Promise<void> {
        try {
            const { size } = fstatSync(descriptor);
            let checksum = crc32(file);
            for (const block of blocksOf(file, descriptor, size)) {
                checksum = crc32(block, checksum);
            }
            const mtime = mtimeOf(checksum);
            await this.#unlessFailed(() =>
                pipeline(blocksOf(file, descriptor, size), this.#tar.entry({ name: file, size, mtime })),
            );
        } finally {
            closeSync(descriptor);
        }
    }

    async finish(): Promise<BundleInfo> {
        this.#tar.finalize();
        await this.#written;
        renameSync(this.#unfinished, this.path);
        return { sizeBytes: this.#sizeBytes, sha256: this.#hash.digest("hex") };
    }

    /** Removes an incomplete archive. After it resolves, nothing is written any more. */
    async settle(): Promise<void> {
        this.#tar.destroy();
        await this.#written.catch(() => undefined);
        rmSync(this.#unfinished, { force: true });
    }

    get #unfinished(): string {
        return `${this.path}.partial`;
    }

    async #unlessFailed(add: () => Promise<void>): Promise<void> {
        try {
            await add();
        } catch (error) {
            // The whole archive has already failed, and its own error is more useful.
            await this.#written;
            throw error;
        }
    }

    async *#measured(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
        for await (const chunk of chunks) {
            if (this.#sizeBytes === 0) {
                chunk[systemByte] = unknownSystem;
            }
            this.#sizeBytes += chunk.length;
            this.#hash.update(chunk);
            yield chunk;
        }
    }
}

async function* inBlocks(chunks: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
    let block: Buffer[] = [];
    let length = 0;
    for await (const chunk of chunks) {
        block.push(chunk as Buffer);
        length += (chunk as Buffer).length;
        if (length >= blockBytes) {
            yield Buffer.concat(block);
            [block, length] = [[], 0];
        }
    }
    yield Buffer.concat(block);
}

/** Writes exactly as many bytes as the file's header says. */
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
