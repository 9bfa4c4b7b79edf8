import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";

/** The largest file that is read: an index shard, a page, or its Markdown. Larger ones count as missing. */
export const maxFileBytes = 8 * 1024 * 1024;

/** The files of an exported site, wherever they are. */
export interface SiteFiles {
    /**
     * @param file from the export's root, with slashes
     * @returns undefined where the site has no such file
     */
    read(file: string): Promise<string | undefined>;
}

/** A site that was exported into a folder, or unpacked there. Links that lead out of the folder count as missing. */
export class FolderFiles implements SiteFiles {
    readonly #root: Promise<string>;

    constructor(folder: string) {
        this.#root = realpath(folder);
    }

    async read(file: string): Promise<string | undefined> {
        const root = await this.#root;
        let handle;
        try {
            const path = await realpath(join(root, file));
            if (!path.startsWith(root + sep)) {
                return undefined;
            }
            // A pipe would block the reader for as long as nobody writes to it.
            handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
            const found = await handle.stat();
            return found.isFile() && found.size <= maxFileBytes ? await handle.readFile("utf8") : undefined;
        } catch (error) {
            if (isMissing(error)) {
                return undefined;
            }
            throw error;
        } finally {
            await handle?.close();
        }
    }
}

const missing = new Set(["ENOENT", "ENOTDIR", "EISDIR", "ELOOP", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE", "ENXIO"]);

function isMissing(error: unknown): boolean {
    return missing.has((error as NodeJS.ErrnoException).code ?? "");
}
