import { accessFile } from "@pulumi-static-export/contract";
import { type SiteFiles } from "./site-files.js";

/** A signed-in reader. Readers who are not signed in are `undefined`. */
export interface Reader {
    readonly groups: readonly string[];
}

/**
 * The rules about who may read which file of a site. An unreadable rule makes the file, or the whole site,
 * inaccessible; it never makes a file public.
 */
export class ReadersRules {
    private constructor(
        private readonly files: ReadonlyMap<string, readonly string[]>,
        /** The folder of the site's files, whose names have no such prefix here. */
        private readonly folder: string,
    ) {}

    /**
     * @param basePath the path below which the site is served
     * @throws Error for an `access.json` in an unknown format
     */
    static async read(site: SiteFiles, basePath: string): Promise<ReadersRules> {
        const text = await site.readRules();
        return new ReadersRules(text === undefined ? new Map() : parseRules(text), basePath && `${basePath}/`);
    }

    /** The site's files that have rules. */
    get closedFiles(): string[] {
        const { folder } = this;
        return [...this.files.keys()].flatMap((file) => (file.startsWith(folder) ? file.slice(folder.length) : []));
    }

    mayRead(file: string, reader: Reader | undefined): boolean {
        if (file === accessFile) {
            return false;
        }
        const groups = this.files.get(this.folder + file);
        if (groups === undefined) {
            return true;
        }
        return reader !== undefined && (groups.length === 0 || groups.some((group) => reader.groups.includes(group)));
    }
}

function parseRules(text: string): Map<string, readonly string[]> {
    try {
        const { formatVersion, files } = JSON.parse(text) as { formatVersion?: unknown; files?: unknown };
        if (formatVersion === 1 && typeof files === "object" && files !== null && !Array.isArray(files)) {
            return new Map(Object.entries(files).map(([file, groups]) => [file, readGroups(groups)]));
        }
    } catch {
        // The error below reports invalid JSON, like any other invalid format.
    }
    throw new Error(
        "The site's access.json does not have format version 1, so this release does not know which pages are " +
            "private. Export the site again, or use the release that exported it.",
    );
}

function readGroups(groups: unknown): readonly string[] {
    if (Array.isArray(groups) && groups.every((group) => typeof group === "string")) {
        return groups;
    }
    throw new Error("A list of groups in access.json is not an array of strings.");
}
