import { randomUUID } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { replaceFile } from "@pulumi-static-export/contract/replace-file";

const checksumLength = 8;
const unfinishedName = /\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Replaces a file atomically, with a checksum of its content.
 * @param pieces - the content, in pieces that fit into memory
 */
export async function writeCheckedFile(path: string, pieces: Iterable<string>): Promise<void> {
    const unfinished = unfinishedPath(path);
    const file = await open(unfinished, "wx", 0o600);
    try {
        let checksum = 0;
        for (const piece of pieces) {
            checksum = crc32(piece, checksum);
            await file.writeFile(piece);
        }
        await file.writeFile(toHex(checksum));
        await file.close();
        await replaceFile(unfinished, path);
    } catch (error) {
        await file.close().catch(() => undefined);
        rmSync(unfinished, { force: true });
        throw error;
    }
}

/** The content that `writeCheckedFile` has written; undefined if the file is missing or damaged. */
export function readCheckedFile(path: string): Buffer | undefined {
    let bytes: Buffer;
    try {
        bytes = readFileSync(path);
    } catch {
        return undefined;
    }
    const content = bytes.subarray(0, Math.max(0, bytes.length - checksumLength));
    return bytes.toString("latin1", content.length) === toHex(crc32(content)) ? content : undefined;
}

/** A name for a file that will be moved to `path` when it is complete. */
export function unfinishedPath(path: string): string {
    return `${path}.${randomUUID()}`;
}

/** Whether a killed process left a file incomplete. */
export function isUnfinished(name: string): boolean {
    return unfinishedName.test(name);
}

function toHex(checksum: number): string {
    return checksum.toString(16).padStart(checksumLength, "0");
}
