import { createHash } from "node:crypto";
import { closeSync, constants, openSync, readSync, rmSync } from "node:fs";
import { copyFile, link, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type DeflatedPiece } from "./deflated-piece.js";
import { readCheckedFile, writeCheckedFile } from "../files/checked-file.js";
import { type PartFacts } from "./part-facts.js";

/** Where a piece stands in an archive, and what it holds. */
export interface PieceRef {
    readonly offset: number;
    readonly length: number;
    readonly crc: number;
    readonly size: number;
    readonly digest: string;
}

export interface KeptPart {
    readonly pieces: readonly PieceRef[];
    readonly facts: PartFacts;
}

export interface ArchiveIndex {
    /** The archive's file name, beside the index. */
    readonly archive: string;
    /** Parts of the site, by what they are made of. */
    readonly parts: Readonly<Record<string, KeptPart>>;
    /** Other pieces, by the digest of their content. */
    readonly contents: Readonly<Record<string, PieceRef>>;
}

/** Lines are written in batches: one write for each takes longer. */
const bufferedCharacters = 1024 * 1024;

/**
 * The archive of the last export and a list of what stands where in it. Every piece is compared with its digest when it is
 * read, so damage only costs time.
 */
export class KeptArchive {
    private constructor(
        private readonly cacheDir: string | undefined,
        private readonly name: string,
        private readonly descriptor: number | undefined,
        readonly index: ArchiveIndex,
    ) {}

    /** Without a folder nothing is kept. */
    static open(cacheDir: string | undefined, domain: string): KeptArchive {
        const name = encodeURIComponent(domain);
        const content = cacheDir === undefined ? undefined : readCheckedFile(join(cacheDir, indexName(name)));
        if (cacheDir !== undefined && content !== undefined) {
            const index = readIndex(content);
            try {
                const descriptor = openSync(join(cacheDir, index.archive), constants.O_RDONLY);
                return new KeptArchive(cacheDir, name, descriptor, index);
            } catch {
                // It has been removed.
            }
        }
        return new KeptArchive(cacheDir, name, undefined, { archive: "", parts: {}, contents: {} });
    }

    get isKeeping(): boolean {
        return this.cacheDir !== undefined;
    }

    part(key: string): KeptPart | undefined {
        return Object.hasOwn(this.index.parts, key) ? this.index.parts[key] : undefined;
    }

    content(digest: string): DeflatedPiece | undefined {
        const ref = Object.hasOwn(this.index.contents, digest) ? this.index.contents[digest] : undefined;
        return ref && this.read(ref);
    }

    read({ offset, length, crc, size, digest }: PieceRef): DeflatedPiece | undefined {
        if (this.descriptor === undefined) {
            return undefined;
        }
        const deflated = Buffer.alloc(length);
        const count = readSync(this.descriptor, deflated, 0, length, offset);
        return count === length && digestOf(deflated) === digest ? { deflated, crc, size, digest } : undefined;
    }

    /** Keeps an archive for the next export: without a second copy of its bytes where the disk allows that. */
    async save(archivePath: string, sha256: string, index: Omit<ArchiveIndex, "archive">): Promise<void> {
        const archive = `${this.name}.${sha256.slice(0, 32)}.archive`;
        if (this.cacheDir === undefined || archive === this.index.archive) {
            return;
        }
        const path = join(this.cacheDir, archive);
        rmSync(path, { force: true });
        await link(archivePath, path).catch(() => copyFile(archivePath, path, constants.COPYFILE_FICLONE));
        await writeCheckedFile(join(this.cacheDir, indexName(this.name)), writeIndex({ archive, ...index }));
        for (const file of await readdir(this.cacheDir)) {
            if (file !== archive && file.startsWith(`${this.name}.`) && file.endsWith(".archive")) {
                rmSync(join(this.cacheDir, file), { force: true });
            }
        }
    }

    close(): void {
        if (this.descriptor !== undefined) {
            closeSync(this.descriptor);
        }
    }
}

function indexName(name: string): string {
    return `${name}.archive.jsonl`;
}

/** A line for the archive, then one a part: a large site's list as one text would take more memory than the export itself. */
function* writeIndex({ archive, contents, parts }: ArchiveIndex): Generator<string> {
    let text = `${JSON.stringify({ archive, contents })}\n`;
    for (const part of Object.entries(parts)) {
        text += `${JSON.stringify(part)}\n`;
        if (text.length >= bufferedCharacters) {
            yield text;
            text = "";
        }
    }
    yield text;
}

function readIndex(bytes: Buffer): ArchiveIndex {
    let start = 0;
    const next = (): unknown => {
        const end = bytes.indexOf("\n", start);
        const line = bytes.toString("utf8", start, end === -1 ? bytes.length : end);
        start = end === -1 ? bytes.length : end + 1;
        return JSON.parse(line);
    };
    const { archive, contents } = next() as Omit<ArchiveIndex, "parts">;
    const parts: Record<string, KeptPart> = {};
    while (start < bytes.length) {
        const [key, part] = next() as [string, KeptPart];
        parts[key] = part;
    }
    return { archive, contents, parts };
}

export function digestOf(content: Buffer): string {
    return createHash("sha256").update(content).digest("base64url").slice(0, 32);
}
