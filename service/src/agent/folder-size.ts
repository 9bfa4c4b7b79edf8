import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";

/** The disk usage of a folder in bytes; files that disappear meanwhile, or cannot be read, do not count. */
export async function folderSize(folder: string): Promise<number> {
    let bytes = 0;
    const folders = [folder];
    for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
        try {
            for await (const entry of await opendir(next)) {
                const path = join(next, entry.name);
                if (entry.isDirectory()) {
                    folders.push(path);
                }
                bytes += await lstat(path).then(
                    ({ blocks }) => blocks * 512,
                    () => 0,
                );
            }
        } catch {
            // It is gone, or closed to us.
        }
    }
    return bytes;
}
