import { isAbsolute, relative, sep } from "node:path";

/** Whether a path is the folder itself or inside it. Both must be absolute, with links resolved. */
export function isWithin(folder: string, path: string): boolean {
    const way = relative(folder, path);
    return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
