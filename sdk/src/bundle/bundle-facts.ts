import { type BundleFacts, bundleFactsFile, parseBundleFacts } from "@pulumi-static-export/contract";
import { open } from "node:fs/promises";
import { constants } from "node:fs";
import { join } from "node:path";

/** More than a thousand times the size of an ordinary file. */
const maxBytes = 1024 * 1024;

/**
 * Reads the contents of an unpacked bundle, according to the bundle itself.
 *
 * @returns undefined for a bundle of an earlier release or of another program, and for a file in another format
 */
export async function readBundleFacts(folder: string): Promise<BundleFacts | undefined> {
    let handle;
    try {
        // A link could point outside the bundle, and reading a pipe would block.
        const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
        handle = await open(join(folder, bundleFactsFile), flags);
        const found = await handle.stat();
        return found.isFile() && found.size <= maxBytes ? parseBundleFacts(await handle.readFile("utf8")) : undefined;
    } catch {
        return undefined;
    } finally {
        await handle?.close();
    }
}
