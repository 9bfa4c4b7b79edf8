import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { ByteBuffer } from "../plan/byte-buffer.js";
import {
    combineCrc,
    deflatePiece,
    gzipHeader,
    gzipTrailer,
    type DeflatedPiece,
    type PieceLevel,
} from "./deflated-piece.js";
import { digestOf, type KeptArchive, type KeptPart, type PieceRef } from "./kept-archive.js";
import { type PartFacts } from "./part-facts.js";
import { type SiteOutput, type SiteParts } from "./site-output.js";
import { tarEnd, tarHeader, tarPadding } from "./tar-header.js";

export interface BundleInfo {
    readonly sizeBytes: number;
    /** The digest of the archive, in lower-case hexadecimal. */
    readonly sha256: string;
}

const pieceBytes = 1024 * 1024;

/** Pieces that are compressed beside other work. */
const maxRunning = 6;

const compressedFile =
    /\.(?:png|jpe?g|gif|webp|avif|heic|mp4|webm|mov|mp3|ogg|woff2?|zip|gz|tgz|bz2|xz|zst|br|7z|pdf)$/i;

/**
 * Packs files into one `tar.gz` whose bytes depend on nothing but their names, contents and order: not on times, owners or
 * modes. The archive appears under its name only when it is complete; when anything fails, nothing is left behind.
 */
export class ArchiveOutput implements SiteOutput {
    readonly parts: SiteParts;
    readonly #path: string;
    readonly #file: number;
    readonly #hash = createHash("sha256");
    readonly #kept: KeptArchive;
    readonly #parts = new Map<string, { pieces: Promise<PieceRef>[]; facts: PartFacts }>();
    readonly #contents = new Map<string, Promise<PieceRef>>();
    readonly #running: Promise<PieceRef>[] = [];
    #part: Promise<PieceRef>[] | undefined;
    /** Of the piece that is not yet complete: a piece, and the end of the file with which it ends. */
    readonly #buffered = new ByteBuffer(pieceBytes + pieceBytes / 8);
    #level: PieceLevel = "text";
    #offset = 0;
    #crc = 0;
    #size = 0;
    #isFinished = false;

    constructor(path: string, kept: KeptArchive) {
        this.#path = path;
        this.#kept = kept;
        this.#file = openSync(this.#unfinished, "w");
        this.parts = this.#siteParts();
        this.#put(gzipHeader);
    }

    async write(file: string, content: string): Promise<void> {
        const size = Buffer.byteLength(content);
        await this.#startFile(file, size);
        this.#buffered.addText(content, size);
        await this.#flushWhole();
        await this.#append(tarPadding(size));
    }

    async copy(file: string, descriptor: number): Promise<void> {
        try {
            const { size } = fstatSync(descriptor);
            await this.#startFile(file, size);
            let done = 0;
            while (done < size) {
                const bytes = Buffer.alloc(Math.min(pieceBytes, size - done));
                const count = readSync(descriptor, bytes, 0, bytes.length, done);
                if (count === 0) {
                    throw new Error(`${file} became shorter while it was read`);
                }
                done += count;
                await this.#append(bytes.subarray(0, count));
            }
            await this.#append(tarPadding(size));
        } finally {
            closeSync(descriptor);
        }
    }

    async finish(): Promise<BundleInfo> {
        await this.#append(tarEnd);
        await this.#flush();
        await Promise.all(this.#running);
        this.#put(gzipTrailer(this.#crc, this.#size));
        closeSync(this.#file);
        this.#isFinished = true;
        renameSync(this.#unfinished, this.#path);
        const sha256 = this.#hash.digest("hex");
        await this.#kept.save(this.#path, sha256, await this.#index());
        return { sizeBytes: this.#offset, sha256 };
    }

    /** Removes what is there of an archive that is not complete. Nothing is written any more when it resolves. */
    async discard(): Promise<void> {
        await Promise.allSettled(this.#running);
        if (this.#isFinished) {
            return;
        }
        closeSync(this.#file);
        rmSync(this.#unfinished, { force: true });
    }

    get #unfinished(): string {
        return `${this.#path}.partial`;
    }

    #siteParts(): SiteParts {
        return {
            reuse: (key, isCurrent) => this.#reuse(key, isCurrent),
            begin: async () => {
                await this.#flush();
                this.#part = [];
            },
            end: async (key, facts) => {
                await this.#flush();
                if (facts !== undefined && this.#kept.isKeeping) {
                    this.#parts.set(key, { pieces: this.#part ?? [], facts });
                }
                this.#part = undefined;
            },
        };
    }

    async #reuse(key: string, isCurrent: (facts: PartFacts) => boolean): Promise<PartFacts | undefined> {
        const part = this.#kept.part(key);
        if (part === undefined || !isCurrent(part.facts)) {
            return undefined;
        }
        const pieces = part.pieces.map((ref) => this.#kept.read(ref));
        if (pieces.includes(undefined)) {
            return undefined;
        }
        await this.#flush();
        const refs = (pieces as DeflatedPiece[]).map((piece) => this.#add(piece));
        await this.#room();
        this.#parts.set(key, { pieces: refs, facts: part.facts });
        return part.facts;
    }

    async #index() {
        const parts: Record<string, KeptPart> = {};
        for (const [key, { pieces, facts }] of this.#parts) {
            parts[key] = { pieces: await Promise.all(pieces), facts };
        }
        const contents: Record<string, PieceRef> = {};
        for (const [digest, ref] of this.#contents) {
            contents[digest] = await ref;
        }
        return { parts, contents };
    }

    async #startFile(file: string, size: number): Promise<void> {
        const level = compressedFile.test(file) ? "compressed" : "text";
        if (level !== this.#level) {
            await this.#flush();
            this.#level = level;
        }
        await this.#append(tarHeader(file, size));
    }

    async #append(bytes: Buffer): Promise<void> {
        this.#buffered.add(bytes);
        await this.#flushWhole();
    }

    async #flushWhole(): Promise<void> {
        if (this.#buffered.length >= pieceBytes) {
            await this.#flush();
        }
    }

    /** Ends a piece here. */
    async #flush(): Promise<void> {
        if (this.#buffered.length === 0) {
            return;
        }
        const content = this.#buffered.take();
        if (this.#part !== undefined) {
            this.#part.push(this.#add(deflatePiece(content, this.#level)));
        } else if (!this.#kept.isKeeping || this.#level === "compressed") {
            void this.#add(deflatePiece(content, this.#level));
        } else {
            const digest = digestOf(content);
            this.#contents.set(digest, this.#add(this.#kept.content(digest) ?? deflatePiece(content, this.#level)));
        }
        await this.#room();
    }

    /** Pieces are compressed side by side and written one after the other. */
    #add(piece: Promise<DeflatedPiece> | DeflatedPiece): Promise<PieceRef> {
        const before = this.#running.at(-1);
        const written = Promise.all([piece, before]).then(([done]) => this.#writePiece(done));
        // The error is thrown to whoever waits for room or for the end.
        written.catch(() => undefined);
        this.#running.push(written);
        return written;
    }

    async #room(): Promise<void> {
        await this.#running.at(-maxRunning);
    }

    #writePiece({ deflated, crc, size, digest = digestOf(deflated) }: DeflatedPiece): PieceRef {
        const ref = { offset: this.#offset, length: deflated.length, crc, size, digest };
        this.#put(deflated);
        this.#crc = combineCrc(this.#crc, crc, size);
        this.#size += size;
        return ref;
    }

    #put(bytes: Buffer): void {
        writeSync(this.#file, bytes);
        this.#hash.update(bytes);
        this.#offset += bytes.length;
    }
}
