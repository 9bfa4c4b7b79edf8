import { resolveLinks } from "@pulumi-static-export/contract/resolve-links";
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

export { isWithin } from "@pulumi-static-export/contract/resolve-links";

/**
 * Resolves the links in an absolute path, even if the path does not exist yet, and spells its names as they are stored:
 * on disks that ignore case or the Unicode form of names, a place has several paths.
 */
export function realPlace(path: string): string {
    return createRealPlace()(path);
}

/** Returns a `realPlace` for many paths, which lists each folder once: use it only while the folders do not change. */
export function createRealPlace(): (path: string) => string {
    const lists = new Map<string, ReadonlySet<string>>();
    const namesIn = (folder: string): ReadonlySet<string> => {
        const names = lists.get(folder) ?? listFolder(folder);
        lists.set(folder, names);
        return names;
    };
    const asStored = (path: string): string => {
        const parent = dirname(path);
        if (parent === path) {
            return path;
        }
        const folder = asStored(parent);
        const name = basename(path);
        const names = namesIn(folder);
        if (names.has(name)) {
            return join(folder, name);
        }
        const id = idOf(path);
        const same = id === undefined ? undefined : [...names].find((other) => idOf(join(folder, other)) === id);
        return join(folder, same ?? name);
    };
    const place = (path: string): string =>
        existsSync(path) || path === dirname(path)
            ? asStored(resolveLinks(path))
            : join(place(dirname(path)), basename(path));
    return place;
}

function listFolder(folder: string): ReadonlySet<string> {
    try {
        return new Set(readdirSync(folder));
    } catch {
        // A folder may be open to users who may not list it.
        return new Set();
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
