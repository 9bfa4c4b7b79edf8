import { accessFile } from "@pulumi-static-export/contract";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ClosedSiteError } from "./closed-site-error.js";
import { FolderFiles, type SiteFiles, stateOf } from "./site-files.js";

/**
 * A site as it is stored in a pod of the chart documentation-site: `public/`, one folder in `private/` for each list of
 * groups, and `access/` with the access.json.
 */
export class PodFiles implements SiteFiles {
    #folders: readonly SiteFiles[] = [];
    readonly #rules: SiteFiles;

    constructor(private readonly folder: string) {
        this.#rules = new FolderFiles(join(folder, "access"));
    }

    /** The program that fetches the site removes `export-id` first, and writes it last. */
    async version(): Promise<string> {
        const complete = await stateOf(join(this.folder, "export-id"));
        if (complete === undefined) {
            throw new ClosedSiteError(`The pod's site in ${this.folder} is not complete: it has no file export-id.`);
        }
        const lists = await readdir(join(this.folder, "private")).catch(noFolder);
        const folders = [join(this.folder, "public"), ...lists.map((list) => join(this.folder, "private", list))];
        this.#folders = folders.map((each) => new FolderFiles(each));
        return JSON.stringify([complete, await stateOf(join(this.folder, "access", accessFile)), ...lists]);
    }

    /** Each file is in exactly one of the folders. */
    async read(file: string): Promise<string | undefined> {
        for (const folder of this.#folders) {
            const text = await folder.read(file);
            if (text !== undefined) {
                return text;
            }
        }
        return undefined;
    }

    async readRules(): Promise<string | undefined> {
        const rules = await this.#rules.readRules();
        if (rules === undefined && this.#folders.length > 1) {
            throw new Error("The pod has files for certain readers, but no access.json, which names these readers.");
        }
        return rules;
    }
}

function noFolder(error: NodeJS.ErrnoException): string[] {
    if (error.code === "ENOENT") {
        return [];
    }
    throw error;
}
