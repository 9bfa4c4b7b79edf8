import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Inventory, StoredFile } from "../records/inventory.js";
import { findDigestInName, immutable } from "./file-headers.js";

/** The digests from which builders derive names, besides SHA-256, which is known. */
const otherDigests = ["md5", "sha1"] as const;

/**
 * Whether browsers may keep a file for ever, because its name changes with its content: its name begins the digest of
 * its content. Builders also name scripts, styles and fonts after what they were made of. Such a file counts, too,
 * unless the live release has the same name with other content.
 *
 * @param localPath - undefined if the content has no file
 * @param live - the files of the live release
 */
export async function isImmutable(
    path: string,
    { digest = "" }: Pick<StoredFile, "digest">,
    localPath: string | undefined,
    live: Inventory | undefined,
): Promise<boolean> {
    const named = findDigestInName(path);
    if (named === undefined || digest.startsWith(named.digits)) {
        return named !== undefined;
    }
    if (named.isBuilt) {
        const last = live?.get(path);
        return last === undefined || (last.digest === digest && last.headers.includes(immutable));
    }
    for (const name of localPath === undefined ? [] : otherDigests) {
        if ((await digestOf(localPath!, name))?.startsWith(named.digits) === true) {
            return true;
        }
    }
    return false;
}

/** Undefined where Node.js does not have the digest, as in FIPS mode. */
async function digestOf(path: string, name: string): Promise<string | undefined> {
    let hash;
    try {
        hash = createHash(name);
    } catch {
        return undefined;
    }
    await pipeline(createReadStream(path), hash);
    return hash.digest("hex");
}
