import type { Metafile } from "esbuild";

/**
 * Writes `THIRD-PARTY-NOTICES.txt` and `sbom.cdx.json` for a bundle that esbuild wrote.
 *
 * @throws Error when a licence is missing or not allowed
 */
export function writeNotices(options: {
    metafile: Metafile;
    /** The folder where esbuild ran. */
    workingFolder: string;
    /** The bundle's name in the notices. */
    artifact: string;
    /** The folder for the two files. */
    folder: string;
}): void;

/**
 * Writes `THIRD-PARTY-NOTICES.txt` next to the folder `node_modules` of an artifact that contains unbundled packages.
 *
 * @throws Error when a licence is missing or not allowed
 */
export function writeNoticesOfPackages(options: { folder: string; artifact: string }): void;

/** Returns the packages in a folder's `node_modules`, as CycloneDX describes them. */
export function describePackages(folder: string): {
    group?: string;
    name: string;
    version: string;
    licenses: readonly unknown[];
}[];
