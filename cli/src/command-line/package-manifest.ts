import { readFileSync } from "node:fs";

interface PackageManifest {
    name: string;
    version: string;
    /** The owner in the name of the release. */
    author: string;
}

/** The package.json of this package. */
export function readManifest(): PackageManifest {
    const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
    return JSON.parse(manifest) as PackageManifest;
}
