import { BundleError } from "../errors/index.js";

/** The number of bytes that identify the format. */
export const formatBytes = 2;

/**
 * Refuses everything but a gzipped tar, the only format that the platform sends and this project accepts.
 * @param start - the first {@link formatBytes} bytes of the archive, or fewer if it is shorter
 * @throws BundleError for any other format, such as zip, plain tar or an error page
 */
export function assertGzippedTar(start: Uint8Array): void {
    if (start[0] !== 0x1f || start[1] !== 0x8b) {
        throw new BundleError("not-an-archive", "the bundle is not a gzipped tar archive (.tar.gz)");
    }
}
