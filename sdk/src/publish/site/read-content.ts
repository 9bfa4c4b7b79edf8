import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

export const smallFileBytes = 1024 * 1024;

/**
 * Reads a file of a site. Small files are read at once: each asynchronous read occupies four threads one after the
 * other, which takes four times the processor time, and sites consist of small files.
 */
export function readContent(path: string, sizeBytes: number): Buffer | Promise<Buffer> {
    return sizeBytes <= smallFileBytes ? readFileSync(path) : readFile(path);
}
