import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { PublishError } from "../errors/publish-error.js";
import type { StoredFile } from "../records/inventory.js";

export const smallFileBytes = 1024 * 1024;

/**
 * Reads a file of a site. Small files are read synchronously: an asynchronous read uses four threads one after the
 * other and takes four times the CPU time, and most files of sites are small.
 *
 * @throws PublishError if the content is not the measured one
 */
export async function readContent(path: string, { digest, sizeBytes }: StoredFile): Promise<Buffer> {
    const content = sizeBytes <= smallFileBytes ? readFileSync(path) : await readFile(path);
    assertUnchanged(path, createHash("sha256").update(content).digest("hex"), digest);
    return content;
}

/** Reads a large file of a site. @throws PublishError at its end if the content is not the measured one */
export async function* readChunks(path: string, { digest }: StoredFile): AsyncGenerator<Buffer> {
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
        hash.update(chunk);
        yield chunk;
    }
    assertUnchanged(path, hash.digest("hex"), digest);
}

function assertUnchanged(path: string, found: string, measured: string | undefined): void {
    if (found !== measured) {
        throw new PublishError(`The file ${path} was changed while it was published: publish again.`);
    }
}
