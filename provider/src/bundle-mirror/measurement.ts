import { createHash } from "node:crypto";
import { assertGzippedTar, BundleError, formatBytes } from "@pulumi-static-export/sdk";

export interface Measure {
    sha256: string;
    sizeBytes: number;
}

/** Measures an archive chunk by chunk. */
export class Measurement {
    readonly #hash = createHash("sha256");
    #sizeBytes = 0;
    #start = Buffer.alloc(0);
    readonly #announcedBytes: number | undefined;

    constructor(announcedBytes: number | undefined) {
        this.#announcedBytes = announcedBytes;
    }

    /** Throws as soon as the archive proves not to be a gzipped tar, or to be longer than announced. */
    add(chunk: Buffer): void {
        if (this.#start.length < formatBytes) {
            this.#start = Buffer.concat([this.#start, chunk.subarray(0, formatBytes)]);
            if (this.#start.length >= formatBytes) {
                assertGzippedTar(this.#start);
            }
        }
        this.#hash.update(chunk);
        this.#sizeBytes += chunk.length;
        const announced = this.#announcedBytes ?? Infinity;
        if (this.#sizeBytes > announced) {
            throw new BundleError("size-mismatch", `the archive has more than the announced ${announced} bytes`);
        }
    }

    /** Throws when the archive is not a gzipped tar or has fewer bytes than announced. */
    end(): Measure {
        assertGzippedTar(this.#start);
        const sizeBytes = this.#sizeBytes;
        const announced = this.#announcedBytes ?? sizeBytes;
        if (sizeBytes < announced) {
            throw new BundleError("size-mismatch", `the archive has ${sizeBytes} bytes instead of ${announced}`);
        }
        return { sha256: this.#hash.digest("hex"), sizeBytes };
    }
}
