import { lstat } from "node:fs/promises";
import { join } from "node:path";

/**
 * @param run - runs git in the folder, with the index of the base
 * @throws if the files that a commit of the folder would contain take more than `maxBytes`
 */
export async function assertSmall(
    folder: string,
    maxBytes: number,
    run: (args: string[]) => Promise<string>,
): Promise<void> {
    const files = (await run(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])).split("\0");
    let bytes = 0;
    for (const file of files) {
        bytes += (await lstat(join(folder, file)).catch(() => undefined))?.size ?? 0;
    }
    if (bytes > maxBytes) {
        throw new Error(`the files for the commit take more than ${maxBytes} bytes`);
    }
}
