import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** How many bytes the files of some folders take; one with two names counts once, and one that has just gone not at all. */
export function bytesIn(folders: readonly string[]): number {
    const files = folders.flatMap((folder) => listFiles(folder));
    const sizes = new Map<number, number>();
    for (const file of files) {
        const { ino, size } = statSync(file, { throwIfNoEntry: false }) ?? { ino: 0, size: 0 };
        sizes.set(ino, size);
    }
    return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

function listFiles(folder: string): string[] {
    try {
        return readdirSync(folder).map((name) => join(folder, name));
    } catch {
        return [];
    }
}
