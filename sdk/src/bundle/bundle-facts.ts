import { type BundleFacts, bundleFactsFile, parseBundleFacts } from "@pulumi-static-export/contract";
import { open } from "node:fs/promises";
import { constants } from "node:fs";
import { join } from "node:path";

/** More than a thousand times the size of an ordinary one. */
const maxBytes = 1024 * 1024;

/**
 * The contents of an unpacked bundle, as it describes them.
 *
 * @returns undefined for a bundle of an earlier release or of another program, and for a file of another form: nothing
 * is known about it
 */
export async function readBundleFacts(folder: string): Promise<BundleFacts | undefined> {
    let handle;
    try {
        // A link would lead out of the bundle, and a pipe would block.
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
