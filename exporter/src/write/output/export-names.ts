import { accessFile } from "@pulumi-static-export/contract";
import { type LinkTargets } from "../../plan/links/link-resolver.js";
import { SiteError } from "../../problems/site-error.js";
import { findUnpackableName, reservedName } from "../../read/files/published-names.js";
import { belowBasePath, feedFileOf, htmlFileOf, markdownFileOf } from "../../read/files/routes.js";
import { type SiteOutput, withNames } from "./site-output.js";

/**
 * The names of an export's files. All files of an export pass here: a name is refused if the reader of bundles would
 * refuse it, because a job that ends well must have a bundle that pods accept.
 */
export class ExportNames {
    readonly #files = new Set<string>();
    readonly #folders = new Set<string>();

    /** @throws SiteError for a page whose files cannot be written */
    constructor(private readonly site: Pick<LinkTargets, "basePath" | "pages" | "exported">) {
        const { basePath, pages, exported } = site;
        const refuse = (route: string, problem: string) => {
            throw new SiteError(pages.get(route)?.file ?? route, undefined, problem);
        };
        for (const route of exported.keys()) {
            const files = filesOfPage(route).map((name) => belowBasePath(basePath, name));
            const unpackable = files.map(findUnpackableName).find((problem) => problem !== undefined);
            const problem = unpackable ?? reservedName(htmlFileOf(route));
            if (problem !== undefined) {
                refuse(route, problem);
            }
            this.#addFolders(belowBasePath(basePath, htmlFileOf(route)));
        }
        for (const route of exported.keys()) {
            const folder = filesOfPage(route).find((name) => this.#folders.has(belowBasePath(basePath, name)));
            if (folder !== undefined) {
                refuse(route, isBoth(folder));
            }
        }
    }

    /** An output that refuses names. @param root the output at the root of the export */
    checked(root: SiteOutput): SiteOutput {
        return withNames(root, (file) => {
            const problem = findUnpackableName(file) ?? this.#clashOf(file);
            if (problem !== undefined) {
                throw new SiteError(file, undefined, problem);
            }
            this.#addFolders(file);
            // The other names are unique, and a large site has many of them.
            if (!this.#isOfPage(file) && !this.#isOwn(file)) {
                this.#files.add(file);
            }
            return file;
        });
    }

    /** Whether a file that the site need not have may be written, such as a page that redirects. */
    isFree(fileOfSite: string): boolean {
        const file = belowBasePath(this.site.basePath, fileOfSite);
        const isUsable = findUnpackableName(file) === undefined && !this.#isOwn(file) && !this.#isOfPage(file);
        return isUsable && this.#clashOf(file) === undefined;
    }

    #clashOf(file: string): string | undefined {
        if (this.#folders.has(file)) {
            return isBoth(file);
        }
        if (this.#files.has(file)) {
            return "the export would contain two files with this name: rename one of them";
        }
        const isFile = (name: string) => this.#files.has(name) || this.#isOfPage(name) || name === accessFile;
        const above = foldersOf(file).find(isFile);
        return above === undefined ? undefined : isBoth(above);
    }

    #addFolders(file: string): void {
        for (const folder of foldersOf(file)) {
            this.#folders.add(folder);
        }
    }

    #isOfPage(file: string): boolean {
        const name = this.#inSite(file);
        const route = name === undefined ? undefined : /^(.+)(?:\.html|\.md|\/rss\.xml)$/s.exec(name)?.[1];
        return route !== undefined && this.site.exported.has(route);
    }

    /** Whether the file is in a folder of the export itself. */
    #isOwn(file: string): boolean {
        const name = this.#inSite(file);
        return reservedName(file) !== undefined || (name !== undefined && reservedName(name) !== undefined);
    }

    #inSite(file: string): string | undefined {
        const start = belowBasePath(this.site.basePath, "");
        return file.startsWith(start) ? file.slice(start.length) : undefined;
    }
}

function filesOfPage(route: string): string[] {
    return [htmlFileOf(route), markdownFileOf(route), feedFileOf(route)];
}

/** The folders above a file, the innermost first. */
function foldersOf(file: string): string[] {
    const folders: string[] = [];
    for (let end = file.lastIndexOf("/"); end > 0; end = file.lastIndexOf("/", end - 1)) {
        folders.push(file.slice(0, end));
    }
    return folders;
}

function isBoth(name: string): string {
    return `the export would contain a file and a folder with the name ${name}: rename one of them`;
}
