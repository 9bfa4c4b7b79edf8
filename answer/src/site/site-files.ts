import { accessFile } from "@pulumi-static-export/contract";
import { resolveInside, resolveLinks } from "@pulumi-static-export/contract/resolve-links";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** The maximum size of a file that is read: an index shard, a page, or its Markdown. Larger files count as missing. */
export const maxFileBytes = 8 * 1024 * 1024;

/** The maximum size of access.json, as in the chart's pods. */
const maxRulesBytes = 64 * 1024 * 1024;

/** The files of an exported site, at any location. */
export interface SiteFiles {
    /** @param file relative to the export's root, with slashes @returns undefined if the site has no such file */
    read(file: string): Promise<string | undefined>;
    /**
     * Reads the site's access.json.
     *
     * @returns undefined if the site has none, so that everybody may read everything
     * @throws Error if the file is too large: treating it as missing would make private pages public
     */
    readRules(): Promise<string | undefined>;
}

const tooLarge = Symbol("too large");

/** A site in a local folder. Links to files outside of the folder count as missing files. */
export class FolderFiles implements SiteFiles {
    readonly #root: Promise<string>;

    constructor(folder: string) {
        this.#root = Promise.resolve(folder).then((path) => resolveLinks(path));
    }

    async read(file: string): Promise<string | undefined> {
        const text = await this.#read(file, maxFileBytes);
        return text === tooLarge ? undefined : text;
    }

    async readRules(): Promise<string | undefined> {
        const text = await this.#read(accessFile, maxRulesBytes);
        if (text === tooLarge) {
            throw new Error(`The site's ${accessFile} is larger than ${maxRulesBytes} bytes.`);
        }
        return text;
    }

    async #read(file: string, maxBytes: number): Promise<string | typeof tooLarge | undefined> {
        const root = await this.#root;
        let handle;
        try {
            const path = resolveInside(root, file);
            if (path === undefined) {
                return undefined;
            }
            // Reading from a pipe would block until another process writes to it.
            handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
            const found = await handle.stat();
            if (!found.isFile()) {
                return undefined;
            }
            return found.size <= maxBytes ? await textOf(handle, found.size) : tooLarge;
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

/**
 * Reads the file into one buffer of its size, because the usual way allocates more memory than the small files of a
 * search need.
 */
async function textOf(handle: FileHandle, size: number): Promise<string> {
    const content = Buffer.allocUnsafe(size);
    let length = 0;
    let bytesRead = 0;
    do {
        ({ bytesRead } = await handle.read(content, length, size - length));
        length += bytesRead;
    } while (bytesRead > 0 && length < size);
    return content.toString("utf8", 0, length);
}

const missing = new Set(["ENOENT", "ENOTDIR", "EISDIR", "ELOOP", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE", "ENXIO"]);

function isMissing(error: unknown): boolean {
    return missing.has((error as NodeJS.ErrnoException).code ?? "");
}
