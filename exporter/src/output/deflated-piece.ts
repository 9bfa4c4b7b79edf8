import { constants, crc32, deflateRaw } from "node:zlib";
import { promisify } from "node:util";

const deflateAsync = promisify(deflateRaw);

/**
 * A stretch of a gzip stream that depends on no other one. Pieces in a row, between a header and a trailer, are one
 * ordinary gzip member, so a piece of an earlier archive can be used again as it is.
 */
export interface DeflatedPiece {
    readonly deflated: Buffer;
    /** The checksum and the length of the content before compression. */
    readonly crc: number;
    readonly size: number;
    /** Of what was deflated, when that is known already. */
    readonly digest?: string;
}

export type PieceLevel = "text" | "compressed";

/** A piece of text takes one turn of the main thread; with Node's own size it takes several. */
const chunkSize = 256 * 1024;

/** Compresses in one of Node's own threads. @param level `compressed` is stored as it is: pictures, fonts, archives */
export async function deflatePiece(content: Buffer, level: PieceLevel): Promise<DeflatedPiece> {
    const options = { level: level === "text" ? 6 : 0, finishFlush: constants.Z_SYNC_FLUSH, chunkSize };
    const deflated = await deflateAsync(content, options);
    return { deflated, crc: crc32(content), size: content.length };
}

/** No name and no time: the same content gives the same bytes. */
export const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** Ends the last piece's stream, and says what all pieces hold together. */
export function gzipTrailer(crc: number, size: number): Buffer {
    const trailer = Buffer.alloc(10);
    trailer.set([3, 0]);
    trailer.writeUInt32LE(crc >>> 0, 2);
    trailer.writeUInt32LE(size % 2 ** 32, 6);
    return trailer;
}

/** The checksum of two stretches one after the other, from those of each: as zlib's `crc32_combine` does it. */
export function combineCrc(first: number, second: number, secondSize: number): number {
    let crc = first;
    for (let rest = secondSize, power = 0; rest > 0; rest = Math.floor(rest / 2), power += 1) {
        if (rest % 2 === 1) {
            crc = times(zerosOf(power), crc);
        }
    }
    return (crc ^ second) >>> 0;
}

/** What a checksum becomes when zeros follow: one bit of them. */
const oneBit = Array.from({ length: 32 }, (_, bit) => (bit === 0 ? 0xedb88320 : 2 ** (bit - 1)));

/** The same for one byte, two, four, and so on; sizes of pieces need about twenty. */
const zeroBytes: number[][] = [squareOf(squareOf(squareOf(oneBit)))];

function zerosOf(power: number): readonly number[] {
    while (zeroBytes.length <= power) {
        zeroBytes.push(squareOf(zeroBytes.at(-1) as number[]));
    }
    return zeroBytes[power] as number[];
}

function times(matrix: readonly number[], vector: number): number {
    let sum = 0;
    for (let rest = vector >>> 0, bit = 0; rest !== 0; rest >>>= 1, bit += 1) {
        if ((rest & 1) === 1) {
            sum ^= matrix[bit] as number;
        }
    }
    return sum >>> 0;
}

function squareOf(matrix: readonly number[]): number[] {
    return matrix.map((row) => times(matrix, row));
}
