import { hash } from "node:crypto";

/** A file of a site: its current or its intended state in the storage. */
export interface StoredFile {
    /** SHA-256 in hexadecimal; undefined if a killed run may or may not have written the file. */
    readonly digest: string | undefined;
    readonly sizeBytes: number;
    /** The headers as JSON: see ../site/file-headers.ts. */
    readonly headers: string;
    /**
     * When the last release stopped needing the file, in milliseconds since 1970: it is removed after the grace time.
     */
    readonly goneAtMs?: number;
    /** The version of the file in the storage when a run wrote it or last compared it: see {@link markOf}. */
    readonly mark?: number;
}

/** Shortens the text by which a storage tells two versions of a file apart, such as an ETag, to a 48-bit number. */
export function markOf(tag: string): number {
    return parseInt(hash("sha256", tag, "hex").slice(0, markDigits), 16);
}

/** The number of hexadecimal digits of a mark. */
export const markDigits = 12;

const digestBytes = 32;
/**
 * Each file has five values: its size, the number of its headers, whether its digest is known, when the file became
 * unneeded, and its mark.
 */
const valuesPerFile = 5;

/**
 * The files of a site by their paths, in the order of addition. The values of this map are packed, because an update
 * holds two lists of up to 200,000 files each. Reading a value returns a copy.
 */
export class Inventory {
    readonly #slots = new Map<string, number>();
    readonly #headers: string[] = [];
    readonly #numbersOfHeaders = new Map<string, number>();
    #usedSlots = 0;
    #digests: Buffer;
    #values: Float64Array;

    /** @param capacity - the expected number of files; more can be added */
    constructor(capacity = 1024) {
        this.#digests = Buffer.alloc(digestBytes * Math.max(capacity, 1));
        this.#values = new Float64Array(valuesPerFile * Math.max(capacity, 1));
    }

    get size(): number {
        return this.#slots.size;
    }

    has(path: string): boolean {
        return this.#slots.has(path);
    }

    get(path: string): StoredFile | undefined {
        const slot = this.#slots.get(path);
        return slot === undefined ? undefined : this.#read(slot);
    }

    set(path: string, { digest, sizeBytes, headers, goneAtMs = NaN, mark = NaN }: StoredFile): void {
        let slot = this.#slots.get(path);
        if (slot === undefined) {
            slot = this.#usedSlots++;
            this.#grow();
            this.#slots.set(path, slot);
        }
        let number = this.#numbersOfHeaders.get(headers);
        if (number === undefined) {
            number = this.#headers.push(headers) - 1;
            this.#numbersOfHeaders.set(headers, number);
        }
        this.#digests.write(digest ?? "", slot * digestBytes, "hex");
        const start = slot * valuesPerFile;
        this.#values[start] = sizeBytes;
        this.#values[start + 1] = number;
        this.#values[start + 2] = digest === undefined ? 0 : 1;
        this.#values[start + 3] = goneAtMs;
        this.#values[start + 4] = mark;
    }

    delete(path: string): void {
        this.#slots.delete(path);
    }

    keys(): IterableIterator<string> {
        return this.#slots.keys();
    }

    *[Symbol.iterator](): Generator<[string, StoredFile]> {
        for (const [path, slot] of this.#slots) {
            yield [path, this.#read(slot)];
        }
    }

    /**
     * Whether another inventory contains a file of this inventory with the same content.
     *
     * @param comparesHeaders - whether its headers have to be the same, too
     */
    isSameIn(other: Inventory, path: string, comparesHeaders: boolean): boolean {
        const [own, slot] = [this.#slots.get(path), other.#slots.get(path)];
        if (own === undefined || slot === undefined) {
            return false;
        }
        const [values, others] = [this.#values, other.#values];
        const [start, otherStart] = [own * valuesPerFile, slot * valuesPerFile];
        const areKnown = values[start + 2] === 1 && others[otherStart + 2] === 1;
        const digest = [slot * digestBytes, (slot + 1) * digestBytes, own * digestBytes] as const;
        const isContent = areKnown && this.#digests.compare(other.#digests, ...digest, digest[2] + digestBytes) === 0;
        const headers = this.#headers[values[start + 1]!];
        return isContent && (!comparesHeaders || headers === other.#headers[others[otherStart + 1]!]);
    }

    /** Returns a new inventory with the same files. */
    copy(): Inventory {
        const copy = new Inventory(this.size);
        for (const [path, file] of this) {
            copy.set(path, file);
        }
        return copy;
    }

    #read(slot: number): StoredFile {
        const values = this.#values;
        const start = slot * valuesPerFile;
        const isKnown = values[start + 2] === 1;
        const goneAtMs = values[start + 3]!;
        const mark = values[start + 4]!;
        return {
            digest: isKnown ? this.#digests.toString("hex", slot * digestBytes, (slot + 1) * digestBytes) : undefined,
            sizeBytes: values[start]!,
            headers: this.#headers[values[start + 1]!]!,
            ...(Number.isNaN(goneAtMs) ? {} : { goneAtMs }),
            ...(Number.isNaN(mark) ? {} : { mark }),
        };
    }

    #grow(): void {
        if (this.#usedSlots * digestBytes <= this.#digests.length) {
            return;
        }
        const digests = Buffer.alloc(this.#digests.length * 2);
        digests.set(this.#digests);
        this.#digests = digests;
        const values = new Float64Array(this.#values.length * 2);
        values.set(this.#values);
        this.#values = values;
    }
}
