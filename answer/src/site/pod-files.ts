import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { FolderFiles, type SiteFiles } from "./site-files.js";

/**
 * A site as it is stored in a pod of the chart documentation-site: `public/`, one folder in `private/` for each list of
 * groups, and `access/` with the access.json.
 */
export class PodFiles implements SiteFiles {
    private constructor(
        private readonly folders: readonly SiteFiles[],
        private readonly rules: SiteFiles,
    ) {}

    static async open(folder: string): Promise<PodFiles> {
        const lists = await readdir(join(folder, "private")).catch(noFolder);
        const folders = [join(folder, "public"), ...lists.map((list) => join(folder, "private", list))];
        return new PodFiles(
            folders.map((each) => new FolderFiles(each)),
            new FolderFiles(join(folder, "access")),
        );
    }

    /** Each file is in exactly one of the folders. */
    async read(file: string): Promise<string | undefined> {
        for (const folder of this.folders) {
            const text = await folder.read(file);
            if (text !== undefined) {
                return text;
            }
        }
        return undefined;
    }

    async readRules(): Promise<string | undefined> {
        const rules = await this.rules.readRules();
        if (rules === undefined && this.folders.length > 1) {
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
