import { access, constants, statfs } from "node:fs/promises";

/** Less room than this is none: not even the log of a job fits. */
const minFreeBytes = 1024 * 1024;

/** @throws an error that says why no files can be written in one of these folders */
export async function assertWritable(folders: readonly string[]): Promise<void> {
    for (const folder of folders) {
        await access(folder, constants.W_OK);
        const { bavail, bsize, files, ffree } = await statfs(folder);
        // Some file systems do not count their files.
        if (bavail * bsize < minFreeBytes || (files > 0 && ffree === 0)) {
            throw new Error(`the disk of ${folder} is full`);
        }
    }
}
