import { readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * Removes the files of earlier versions of packed packages, so that a pattern with `*` names one file.
 *
 * @param files - the files of the new version, in one folder
 * @returns the names of the removed files
 */
export function removeEarlierVersions(folder: string, files: readonly string[], version: string): string[] {
    const current = files.map((file) => basename(file));
    const beginnings = current.map((name) => name.slice(0, name.length - `${version}.tgz`.length));
    const earlier = readdirSync(folder).filter((name) => {
        return !current.includes(name) && beginnings.some((beginning) => isVersionOf(beginning, name));
    });
    earlier.forEach((name) => rmSync(join(folder, name)));
    return earlier;
}

function isVersionOf(beginning: string, name: string): boolean {
    return name.startsWith(beginning) && /^\d+\.\d+\.\d+.*\.tgz$/.test(name.slice(beginning.length));
}
