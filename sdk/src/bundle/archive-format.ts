import { BundleError } from "../errors/index.js";

/** How many bytes of the beginning tell the format. */
export const formatBytes = 2;

/**
 * The one format in which a bundle is taken, everywhere: the platform sends a gzipped tar. The pods' script
 * (charts/documentation-site/files/fetch-bundle.sh) refuses every other one in the same words.
 * @param start - the first bytes of the archive, as many as there are
 * @throws BundleError for any other format, such as zip, plain tar or an error page
 */
export function assertGzippedTar(start: Uint8Array): void {
    if (start[0] !== 0x1f || start[1] !== 0x8b) {
        throw new BundleError("not-an-archive", "the bundle is not a gzipped tar archive (.tar.gz)");
    }
}
