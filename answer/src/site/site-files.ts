import { accessFile, bundleFactsFile, replacingFile } from "@pulumi-static-export/contract";
import { resolveInside, resolveLinks } from "@pulumi-static-export/contract/resolve-links";
import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { join } from "node:path";
import { ClosedSiteError } from "./closed-site-error.js";

/** The maximum size of a file that is read: an index shard, a page, or its Markdown. Larger files count as missing. */
export const maxFileBytes = 8 * 1024 * 1024;

/** The maximum size of access.json, as in the chart's pods. */
const maxRulesBytes = 64 * 1024 * 1024;

/** The files of an exported site, at any location. Another version of the site may replace them at any time. */
export interface SiteFiles {
    /**
     * Identifies the version of the site. All files that are read between two calls with the same result belong to one
     * version.
     *
     * @throws ClosedSiteError while another version replaces the files
     */
    version(): Promise<string>;
    /** The path of the site's own address, if it is known, such as `docs`. */
    readonly basePath?: string;
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

/** The files of a site that is served below a path: they are in a folder of this name. */
export class FilesBelow implements Pick<SiteFiles, "read"> {
    constructor(
        private readonly files: Pick<SiteFiles, "read">,
        private readonly basePath: string,
    ) {}

    read(file: string): Promise<string | undefined> {
        return this.files.read(`${this.basePath}/${file}`);
    }
}

const tooLarge = Symbol("too large");

/** The description of the search index, which changes with every file of the index. */
export const firstScope = "static-export/search/0/scope.js";

/** The files that differ between two versions with different pages, rules or search results. */
const filesOfVersions = [
    accessFile,
    bundleFactsFile,
    "index.html",
    "llms.txt",
    "static-export/pages-1.json",
    firstScope,
];

/**
 * A site in a local folder, which may be a link to the folder of the latest version. Links to files outside of the
 * folder count as missing files.
 */
export class FolderFiles implements SiteFiles {
    #root: string | undefined;

    constructor(private readonly folder: string) {}

    async version(): Promise<string> {
        try {
            this.#root = resolveLinks(this.folder);
        } catch (error) {
            throw new ClosedSiteError(`The site's folder cannot be read: ${(error as Error).message}`);
        }
        const root = this.#root;
        const isReplaced = (await stateOf(join(root, replacingFile))) !== undefined;
        if (isReplaced) {
            throw new ClosedSiteError(
                `A build is replacing the files in ${root}. If no build is running, the last one was interrupted: ` +
                    "build again.",
            );
        }
        return JSON.stringify([root, ...(await Promise.all(filesOfVersions.map((file) => stateOf(join(root, file)))))]);
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
        const root = (this.#root ??= resolveLinks(this.folder));
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

/** Identifies the content of a file without reading it; undefined for a missing file. */
export async function stateOf(path: string): Promise<string | undefined> {
    try {
        const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
        return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
    } catch (error) {
        if (isMissing(error)) {
            return undefined;
        }
        throw error;
    }
}

const missing = new Set(["ENOENT", "ENOTDIR", "EISDIR", "ELOOP", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE", "ENXIO"]);

function isMissing(error: unknown): boolean {
    return missing.has((error as NodeJS.ErrnoException).code ?? "");
}
