import { crc32 } from "node:zlib";

/** Collects bytes and text in one stretch of memory: a buffer for each text would be allocated, filled and copied. */
export class ByteBuffer {
    #bytes: Buffer;
    #length = 0;

    /** @param capacity for what usually comes together; more than that takes more memory */
    constructor(private readonly capacity: number) {
        this.#bytes = Buffer.allocUnsafeSlow(capacity);
    }

    get length(): number {
        return this.#length;
    }

    addText(text: string, size = Buffer.byteLength(text)): void {
        this.#reserve(size);
        this.#length += this.#bytes.write(text, this.#length);
    }

    add(bytes: Buffer): void {
        this.#reserve(bytes.length);
        this.#length += bytes.copy(this.#bytes, this.#length);
    }

    /** The checksum of everything from an offset on. */
    checksumFrom(start: number): number {
        return crc32(this.#bytes.subarray(start, this.#length));
    }

    /** Hands over what was collected, and starts from empty. */
    take(): Buffer {
        const taken = this.#bytes.subarray(0, this.#length);
        this.#bytes = Buffer.allocUnsafeSlow(this.capacity);
        this.#length = 0;
        return taken;
    }

    #reserve(size: number): void {
        if (this.#length + size > this.#bytes.length) {
            const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, this.#length + size));
            this.#bytes.copy(larger, 0, 0, this.#length);
            this.#bytes = larger;
        }
    }
}
