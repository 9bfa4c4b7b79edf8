import { realpathSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";

/**
 * Resolves the links in the path of an existing file, and on Windows also short names such as `DOCUME~1`. On Windows,
 * the native function fails on disks without a volume name, such as a RAM disk, and the function of Node.js fails for
 * paths such as `\\?\C:\docs`.
 */
export function resolveLinks(path: string, native: (path: string) => string = realpathSync.native): string {
    try {
        return native(path);
    } catch {
        return realpathSync(path);
    }
}

/** Whether a path is the folder itself or inside it. Both paths must be absolute, with links resolved. */
export function isWithin(folder: string, path: string): boolean {
    const way = relative(folder, path);
    return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/**
 * Resolves the links in the path of a file of a folder; undefined if they lead out of the folder. The folder may be a
 * whole disk.
 *
 * @param folder with links resolved
 */
export function resolveInside(folder: string, file: string): string | undefined {
    const path = resolveLinks(join(folder, file));
    return isWithin(folder, path) ? path : undefined;
}
