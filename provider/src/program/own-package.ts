import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";

export interface OwnPackage {
    /** The real path, with symbolic links resolved. */
    folder: string;
    version: string;
}

/** The folder of this package; undefined if a bundler has included it in the program's file. */
export const ownPackage = readOwnPackage(join(__dirname, "..", ".."));

/** Reads the version of this package in a folder; undefined if the folder contains something else. */
export function readOwnPackage(folder: string): OwnPackage | undefined {
    const manifest = join(folder, "package.json");
    if (!existsSync(manifest)) {
        return undefined;
    }
    const { name, version } = JSON.parse(readFileSync(manifest, "utf8")) as { name?: string; version?: string };
    // A release has the scope of its owner, but is installed under the name without a scope.
    return name !== undefined && /^(@[^/]+\/)?pulumi-static-export$/.test(name) && version !== undefined
        ? { folder: realpathSync(folder), version }
        : undefined;
}
