import { isAbsolute, normalize, sep } from "node:path";

/** How to run a site's own builder. */
export interface BuilderSettings {
    readonly command: string;
    /** Relative to the base folder. */
    readonly outputFolder: string;
    /** The folder in which the command runs, relative to the site's folder. */
    readonly baseFolder: string;
    /** How the service installs packages before the command: a command, or true to follow the lock file. */
    readonly install?: string | true;
    /** The version of Node.js in the service's build, such as 22 or 22.13.1. */
    readonly node?: string;
    /** The version of Python in the service's build, such as 3.12. */
    readonly python?: string;
    /** Whether the service's build fetches the repository's submodules, with theirs. @default false */
    readonly submodules?: boolean | WantedSubmodules;
    /** Whether the service's build fetches the files of Git LFS. @default false */
    readonly lfs?: boolean;
    /** Sentences about settings of the repository that have no effect here, whatever command runs. */
    readonly notes?: readonly string[];
}

/** The submodules that a build fetches. */
export interface WantedSubmodules {
    readonly folders: "all" | readonly string[];
    /** Whether it also fetches the submodules of those. */
    readonly isRecursive: boolean;
}

/** A setting of a builder is wrong. */
export class BuilderFileError extends Error {
    override readonly name = "BuilderFileError";
}

export const builderKeys = [
    ...(["command", "outputFolder", "baseFolder", "install", "node", "python"] as const),
    ...(["submodules", "lfs"] as const),
] as const;
type BuilderKey = (typeof builderKeys)[number];

export function isBuilderKey(name: string): name is BuilderKey {
    return (builderKeys as readonly string[]).includes(name);
}

/** Checks one setting as it is in YAML or JSON. @throws BuilderFileError */
export function readBuilderSetting(name: BuilderKey, value: unknown): string | boolean {
    if (name === "submodules" || name === "lfs") {
        if (typeof value !== "boolean") {
            throw new BuilderFileError(`build.${name} must be true or false.`);
        }
        return value;
    }
    if (name === "install" && value === true) {
        return true;
    }
    if (name === "node" || name === "python") {
        // YAML reads 3.10 without quotes as 3.1.
        const text = Number.isSafeInteger(value) ? String(value) : value;
        if (typeof text !== "string" || !/^\d{1,3}(?:\.\d{1,4}){0,2}$/.test(text)) {
            throw new BuilderFileError(`build.${name} must be a version in quotes, such as "3.12".`);
        }
        return text;
    }
    if (typeof value !== "string" || value.trim() === "") {
        throw new BuilderFileError(`build.${name} must be a string${name === "install" ? ", or true" : ""}.`);
    }
    return value;
}

/** A folder inside the site's folder, as a normal path. @throws BuilderFileError for a folder outside of it */
export function folderInside(folder: string): string {
    const path = normalize(folder);
    if (isAbsolute(path) || path === ".." || path.startsWith(`..${sep}`)) {
        throw new BuilderFileError(`${folder} is outside of the site's folder.`);
    }
    return path;
}
