import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";

export interface OwnPackage {
    /** With symbolic links resolved. */
    folder: string;
    version: string;
}

/** Where this package is installed; undefined in a program that a bundler has put into one file with it. */
export const ownPackage = readOwnPackage(join(__dirname, "..", ".."));

/** Reads which version of this package a folder holds; undefined if it holds something else. */
export function readOwnPackage(folder: string): OwnPackage | undefined {
    const manifest = join(folder, "package.json");
    if (!existsSync(manifest)) {
        return undefined;
    }
    const { name, version } = JSON.parse(readFileSync(manifest, "utf8")) as { name?: string; version?: string };
    // A release has the scope of its owner, and is installed under the name without it.
    return name !== undefined && /^(@[^/]+\/)?pulumi-static-export$/.test(name) && version !== undefined
        ? { folder: realpathSync(folder), version }
        : undefined;
}
