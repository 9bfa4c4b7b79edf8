import { lstat, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

const prefix = ".static-export-unfinished-";

/** No process needs its folder for so long. */
const maxAgeMs = 24 * 3600 * 1000;

/**
 * Creates a folder next to `target` in which to make its content, so that a rename is enough to publish it. Creates
 * missing parents, and removes the folders that killed processes left here more than a day ago.
 */
export async function createBeside(target: string, now = Date.now): Promise<string> {
    const parent = dirname(resolve(target));
    await mkdir(parent, { recursive: true });
    const names = await readdir(parent).catch((): string[] => []);
    for (const path of names.filter((name) => name.startsWith(prefix)).map((name) => join(parent, name))) {
        const stats = await lstat(path).catch(() => undefined);
        if (stats?.isDirectory() === true && now() - stats.mtimeMs > maxAgeMs) {
            // A folder that cannot be removed must not fail this run.
            await rm(path, { recursive: true, force: true }).catch(() => undefined);
        }
    }
    return mkdtemp(join(parent, prefix));
}
