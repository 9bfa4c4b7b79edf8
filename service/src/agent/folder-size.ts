import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";

/** The bytes that files take on disk below a folder; what disappears meanwhile, or cannot be read, counts nothing. */
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
