import { createHash } from "node:crypto";
import { BundleError } from "@pulumi-static-export/sdk";

export interface Measure {
    sha256: string;
    sizeBytes: number;
}

/**
 * Passes the chunks of an archive on and measures them on the way. It fails before the end, so that whoever stores the
 * chunks stores nothing, when they are no gzip archive or not as many bytes as were announced.
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
        if (start.length < 2) {
            start = Buffer.concat([start, chunk.subarray(0, 2)]);
            assertGzip(start);
        }
        hash.update(chunk);
        sizeBytes += chunk.length;
        yield chunk;
    }
    if (start.length < 2) {
        throw new BundleError("not-an-archive", `the link gave ${sizeBytes} bytes`);
    }
    if (announcedBytes !== undefined && sizeBytes !== announcedBytes) {
        throw new BundleError("size-mismatch", `the archive has ${sizeBytes} bytes instead of ${announcedBytes}`);
    }
    done({ sha256: hash.digest("hex"), sizeBytes });
}

function assertGzip(start: Buffer): void {
    if (start[0] !== 0x1f || (start.length > 1 && start[1] !== 0x8b)) {
        throw new BundleError("not-an-archive", "what the link gives is not a gzip archive");
    }
}
