import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

export const smallFileBytes = 1024 * 1024;

/**
 * Reads a file of a site. Small files are read synchronously: an asynchronous read uses four threads one after the
 * other and takes four times the CPU time, and most files of sites are small.
 */
export function readContent(path: string, sizeBytes: number): Buffer | Promise<Buffer> {
    return sizeBytes <= smallFileBytes ? readFileSync(path) : readFile(path);
}
