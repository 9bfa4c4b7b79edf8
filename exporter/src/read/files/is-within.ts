import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";

/** Whether a path is the folder itself or inside it. Both paths must be absolute, with links resolved. */
export function isWithin(folder: string, path: string): boolean {
    const way = relative(folder, path);
    return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Resolves the links in an absolute path, even if the path does not exist yet. */
export function realPlace(path: string): string {
    return existsSync(path) || path === dirname(path)
        ? realpathSync(path)
        : join(realPlace(dirname(path)), basename(path));
}
