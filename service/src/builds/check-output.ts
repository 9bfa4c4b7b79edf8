import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";

/** Files of a finished site; hosts accept fewer. */
export const maxFiles = 200_000;

/**
 * Checks the output before it is read: files with holes take no disk, but an export reads them as a whole.
 * @throws an error that says which limit the output exceeds
 */
export async function checkOutput(folder: string, maxBytes: number): Promise<void> {
    let [files, bytes] = [0, 0];
    const folders = [folder];
    for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
        for await (const entry of await opendir(next)) {
            const path = join(next, entry.name);
            if (entry.isDirectory()) {
                folders.push(path);
            }
            files += 1;
            bytes += entry.isFile() ? (await lstat(path)).size : 0;
            if (files > maxFiles) {
                throw new Error(`The build wrote more than ${maxFiles} files.`);
            }
            if (bytes > maxBytes) {
                throw new Error(`The build wrote files of more than ${maxBytes} bytes together.`);
            }
        }
    }
}
