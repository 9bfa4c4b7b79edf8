import { hash } from "node:crypto";
import { promisify } from "node:util";
import { constants, crc32, deflateRaw, deflateRawSync, inflateRawSync } from "node:zlib";

const compress = promisify(deflateRaw);

/** The maximum distance of a back-reference in compressed bytes. */
const windowBytes = 32 * 1024;

/** The size of a piece, which another thread compresses. */
const maxPieceBytes = 1024 * 1024;

/** The maximum number of pieces that are compressed while rendering continues. */
const maxRunning = 2;

/** A header with no time, no name, and an unknown operating system. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** An empty last block. */
const lastBlock = Buffer.from([3, 0]);

/** A segment of a stream that can be repeated after the same bytes. */
export interface GzipSegment {
    readonly compressed: Buffer;
    /** The checksum and the length of the uncompressed content. */
    readonly crc: number;
    readonly length: number;
    /** The compressed end of the content, to which the next segment may refer, and its digest. */
    readonly end: Buffer;
    readonly endDigest: string;
}

/**
 * Compresses a stream in pieces whose boundaries the caller sets. Each piece may refer to the preceding bytes, so the
 * pieces take as little space as one stream. The same content after the same bytes gives the same piece.
 */
export class GzipSegments {
    #pending: Buffer[] = [];
    #pendingBytes = 0;
    /** The end of the content, to which the next piece may refer; or the last segment, if it was repeated. */
    #last: Buffer | GzipSegment = Buffer.alloc(0);
    #crc = 0;
    #length = 0;
    #segment: { readonly pieces: Promise<Buffer>[]; crc: number; length: number } = newSegment();
    readonly #running: Promise<void>[] = [];
    #written: Promise<void> = Promise.resolve();

    /** @param write called with the bytes of the stream, one call at a time */
    constructor(private readonly write: (bytes: Buffer) => void) {
        void this.#writeNext(gzipHeader);
    }

    /** A later call throws the error of a failed write. */
    async add(chunks: readonly Buffer[]): Promise<void> {
        for (const chunk of chunks) {
            for (let start = 0; start < chunk.length;) {
                const added = chunk.subarray(start, start + maxPieceBytes - this.#pendingBytes);
                this.#pending.push(added);
                this.#pendingBytes += added.length;
                start += added.length;
                if (this.#pendingBytes === maxPieceBytes) {
                    await this.#endPiece();
                }
            }
        }
    }

    /** Begins a segment. @returns a digest of the preceding bytes, to which the segment may refer */
    async beginSegment(): Promise<string> {
        await this.#endPiece();
        this.#segment = newSegment();
        return Buffer.isBuffer(this.#last) ? digestOf(this.#last) : this.#last.endDigest;
    }

    /** Ends a segment. @returns the segment's bytes, which are compressed later */
    async endSegment(): Promise<{ readonly whole: Promise<GzipSegment> }> {
        await this.#endPiece();
        const { pieces, crc, length } = this.#segment;
        const window = this.#window();
        const ends = { end: deflateRawSync(window, { level: 1 }), endDigest: digestOf(window) };
        const whole = Promise.all(pieces).then((all) => ({ compressed: Buffer.concat(all), crc, length, ...ends }));
        whole.catch(() => undefined);
        return { whole };
    }

    /** Repeats a segment after the same preceding bytes. */
    async repeat(segment: GzipSegment): Promise<void> {
        await this.#endPiece();
        this.#last = segment;
        this.#count(segment.crc, segment.length);
        await this.#enqueue(Promise.resolve(segment.compressed));
    }

    /** Ends a segment that later segments must not depend on. */
    async forget(): Promise<void> {
        await this.#endPiece();
        this.#last = Buffer.alloc(0);
    }

    async finish(): Promise<void> {
        await this.#endPiece();
        const trailer = Buffer.alloc(8);
        trailer.writeUInt32LE(this.#crc, 0);
        trailer.writeUInt32LE(this.#length % 2 ** 32, 4);
        await this.#writeNext(Buffer.concat([lastBlock, trailer]));
    }

    /** Resolves when all writes have ended. */
    async settle(): Promise<void> {
        await this.#written.catch(() => undefined);
    }

    async #endPiece(): Promise<void> {
        if (this.#pendingBytes === 0) {
            return;
        }
        const content = Buffer.concat(this.#pending);
        [this.#pending, this.#pendingBytes] = [[], 0];
        const window = this.#window();
        const compressed = compress(content, { dictionary: window, finishFlush: constants.Z_SYNC_FLUSH });
        this.#last = Buffer.concat([window, content.subarray(-windowBytes)]).subarray(-windowBytes);
        const crc = crc32(content);
        this.#count(crc, content.length);
        const segment = this.#segment;
        segment.crc = combineChecksums(segment.crc, crc, content.length);
        segment.length += content.length;
        segment.pieces.push(compressed);
        await this.#enqueue(compressed);
    }

    #window(): Buffer {
        if (!Buffer.isBuffer(this.#last)) {
            this.#last = inflateRawSync(this.#last.end);
        }
        return this.#last;
    }

    #count(crc: number, length: number): void {
        this.#crc = combineChecksums(this.#crc, crc, length);
        this.#length += length;
    }

    async #enqueue(compressed: Promise<Buffer>): Promise<void> {
        compressed.catch(() => undefined);
        this.#running.push(this.#writeNext(compressed));
        if (this.#running.length > maxRunning) {
            await this.#running.shift();
        }
    }

    #writeNext(bytes: Buffer | Promise<Buffer>): Promise<void> {
        this.#written = this.#written.then(async () => this.write(await bytes));
        // The next caller that waits gets the error.
        this.#written.catch(() => undefined);
        return this.#written;
    }
}

function digestOf(bytes: Buffer): string {
    return hash("sha256", bytes);
}

function newSegment() {
    return { pieces: [] as Promise<Buffer>[], crc: 0, length: 0 };
}

/** The polynomial of CRC-32, lowest power first. */
const polynomial = 0xedb88320;
const one = 0x80000000;

/** x^(2^i) for each index i, modulo the polynomial. */
const powers: number[] = [];
for (let power = one >>> 1; powers.length < 64; power = product(power, power)) {
    powers.push(power);
}

/** The CRC-32 of two concatenated strings, computed from their checksums and the length of the second. */
export function combineChecksums(first: number, second: number, secondBytes: number): number {
    let shift = one;
    // A byte has 2^3 bits.
    for (let [rest, index] = [secondBytes, 3]; rest > 0; rest = Math.floor(rest / 2), index += 1) {
        if (rest % 2 === 1) {
            shift = product(powers[index] as number, shift);
        }
    }
    return (product(shift, first) ^ second) >>> 0;
}

/** Multiplies two polynomials, modulo the polynomial of CRC-32. */
function product(left: number, right: number): number {
    let sum = 0;
    let shifted = right;
    for (let bit = one; bit !== 0; bit >>>= 1) {
        if ((left & bit) !== 0) {
            sum ^= shifted;
        }
        shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ polynomial;
    }
    return sum >>> 0;
}
