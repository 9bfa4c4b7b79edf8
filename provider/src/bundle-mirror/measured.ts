import { createHash } from "node:crypto";
import { assertGzippedTar, BundleError, formatBytes } from "@pulumi-static-export/sdk";

export interface Measure {
    sha256: string;
    sizeBytes: number;
}

/**
 * Passes on the chunks of an archive while measuring them. Throws before the end when they are not a gzipped tar or not
 * as many bytes as announced, so that an upload of them is never completed.
 */
export async function* measured(
    chunks: AsyncIterable<Buffer>,
    announcedBytes: number | undefined,
    done: (measure: Measure) => void,
): AsyncGenerator<Buffer> {
    const hash = createHash("sha256");
    let sizeBytes = 0;
    let start = Buffer.alloc(0);
    for await (const chunk of chunks) {
        if (start.length < formatBytes) {
            start = Buffer.concat([start, chunk.subarray(0, formatBytes)]);
            if (start.length >= formatBytes) {
                assertGzippedTar(start);
            }
        }
        hash.update(chunk);
        sizeBytes += chunk.length;
        yield chunk;
    }
    assertGzippedTar(start);
    if (announcedBytes !== undefined && sizeBytes !== announcedBytes) {
        throw new BundleError("size-mismatch", `the archive has ${sizeBytes} bytes instead of ${announcedBytes}`);
    }
    done({ sha256: hash.digest("hex"), sizeBytes });
}
