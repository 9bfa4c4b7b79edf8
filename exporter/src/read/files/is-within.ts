import { resolveLinks } from "@pulumi-static-export/contract/resolve-links";
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

export { isWithin } from "@pulumi-static-export/contract/resolve-links";

/**
 * Resolves the links in an absolute path, even if the path does not exist yet, and spells its names as they are stored:
 * on disks that ignore case or the Unicode form of names, a place has several paths.
 */
export function realPlace(path: string): string {
    return existsSync(path) || path === dirname(path)
        ? asStored(resolveLinks(path))
        : join(realPlace(dirname(path)), basename(path));
}

function asStored(path: string): string {
    const parent = dirname(path);
    if (parent === path) {
        return path;
    }
    const folder = asStored(parent);
    const name = basename(path);
    const names = namesIn(folder);
    if (names.includes(name)) {
        return join(folder, name);
    }
    const id = idOf(path);
    return join(folder, (id !== undefined && names.find((other) => idOf(join(folder, other)) === id)) || name);
}

function namesIn(folder: string): string[] {
    try {
        return readdirSync(folder);
    } catch {
        // A folder may be open to users who may not list it.
        return [];
    }
}

function idOf(path: string): string | undefined {
    try {
        const { dev, ino } = lstatSync(path, { bigint: true });
        return `${dev}:${ino}`;
    } catch {
        return undefined;
    }
}
