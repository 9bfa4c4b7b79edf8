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

    /** Throws as soon as the archive is known not to be a gzipped tar. */
    add(chunk: Buffer): void {
        if (this.#start.length < formatBytes) {
            this.#start = Buffer.concat([this.#start, chunk.subarray(0, formatBytes)]);
            if (this.#start.length >= formatBytes) {
                assertGzippedTar(this.#start);
            }
        }
        this.#hash.update(chunk);
        this.#sizeBytes += chunk.length;
    }

    /** Throws when the archive is not a gzipped tar or has not as many bytes as announced. */
    end(announcedBytes: number | undefined): Measure {
        assertGzippedTar(this.#start);
        const sizeBytes = this.#sizeBytes;
        if (announcedBytes !== undefined && sizeBytes !== announcedBytes) {
            throw new BundleError("size-mismatch", `the archive has ${sizeBytes} bytes instead of ${announcedBytes}`);
        }
        return { sha256: this.#hash.digest("hex"), sizeBytes };
    }
}
