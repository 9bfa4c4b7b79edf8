import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";

/** Whether a path is the folder itself or inside it. Both must be absolute, with links resolved. */
export function isWithin(folder: string, path: string): boolean {
    const way = relative(folder, path);
    return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** An absolute path with its links resolved, even if it does not exist yet. */
export function realPlace(path: string): string {
    return existsSync(path) || path === dirname(path)
        ? realpathSync(path)
        : join(realPlace(dirname(path)), basename(path));
}
