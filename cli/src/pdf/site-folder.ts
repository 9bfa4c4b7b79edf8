import { type ExportedSite, type Reader } from "@pulumi-static-export/answer";
import { resolveInside, resolveLinks } from "@pulumi-static-export/contract/resolve-links";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** The maximum size of a picture; larger ones are omitted. */
const maxBytes = 64 * 1024 * 1024;

/** A page that the readers of a PDF may see. */
export interface PageFile {
    /** The path from the site's root, such as `guides/start.html`. */
    readonly file: string;
    readonly title: string;
}

/** The possible files of a page, given a path from the site's root. */
export function filesOf(path: string): string[] {
    return path === "" ? ["index.html"] : [`${path}.html`, `${path}/index.html`];
}

/** The files of an exported site that certain readers may see. */
export class SiteFolder {
    private constructor(
        private readonly root: string,
        private readonly site: ExportedSite,
        private readonly reader: Reader | undefined,
    ) {}

    static open(folder: string, site: ExportedSite, reader: Reader | undefined): SiteFolder {
        return new SiteFolder(resolveLinks(folder), site, reader);
    }

    get title(): string {
        return this.site.title;
    }

    /** In reading order. */
    async pages(): Promise<PageFile[]> {
        const pages: PageFile[] = [];
        for (const { path, title } of await this.site.pages(this.reader)) {
            for (const file of filesOf(path.slice(1))) {
                if ((await this.#path(file)) !== undefined) {
                    pages.push({ file, title });
                    break;
                }
            }
        }
        return pages;
    }

    /** Reads a file; undefined if the file is missing, too large, outside of the folder, or not for these readers. */
    async read(file: string): Promise<Buffer | undefined> {
        const path = await this.#path(file);
        return path === undefined ? undefined : readFile(path);
    }

    async #path(file: string): Promise<string | undefined> {
        if (!(await this.site.mayRead(file, this.reader))) {
            return undefined;
        }
        try {
            const path = resolveInside(this.root, join(this.site.basePath, file));
            const found = path === undefined ? undefined : await stat(path);
            return found?.isFile() === true && found.size <= maxBytes ? path : undefined;
        } catch {
            // Also catches the errors for names that the system refuses.
            return undefined;
        }
    }
}
