import { readdir, realpath, stat } from "node:fs/promises";
import { join, posix, relative, sep } from "node:path";
import { htmlFileOf, isPageFile, routeOfFile } from "./routes.js";
import { SiteError } from "./site-error.js";

/** Where the export keeps its own styles and scripts; a site must not have files there. */
export const ownFolder = "static-export";

export interface SiteFiles {
    /** Page files by route, relative to the site's folder, with forward slashes. */
    readonly pages: ReadonlyMap<string, string>;
    /** Everything else that is published as it is. */
    readonly assets: readonly string[];
}

const notPublished = new Set(["node_modules", "docs.json", "package.json", "package-lock.json", "tsconfig.json"]);

/**
 * Lists a site's folder in a fixed order. Names that start with `.` or `_`, `node_modules` and configuration files are
 * left out; a link is followed only while it stays inside the folder.
 */
export async function scanSite(siteDir: string, excludedDirs: readonly string[]): Promise<SiteFiles> {
    const root = await realpath(siteDir).catch(() => undefined);
    if (root === undefined) throw new SiteError(".", undefined, "the site's folder does not exist");
    const excluded = new Set(await Promise.all(excludedDirs.map((dir) => realpath(dir).catch(() => dir))));
    const files: string[] = [];

    async function visit(folder: string, ancestors: readonly string[]): Promise<void> {
        const entries = await readdir(join(root as string, folder), { withFileTypes: true });
        for (const entry of entries) {
            if (/^[._]/.test(entry.name) || notPublished.has(entry.name)) continue;
            const file = folder === "" ? entry.name : `${folder}/${entry.name}`;
            const full = join(root as string, file);
            if (excluded.has(full)) continue;
            let kind: { isDirectory(): boolean; isFile(): boolean } = entry;
            let real = full;
            if (entry.isSymbolicLink()) {
                real = await assertInside(root as string, file);
                kind = await stat(full);
            }
            if (kind.isFile()) files.push(file);
            else if (kind.isDirectory() && !ancestors.includes(real)) await visit(file, [...ancestors, real]);
        }
    }
    await visit("", [root]);
    return sortOut(files.sort(byCodePoint));
}

export function byCodePoint(a: string, b: string): number {
    return a < b ? -1 : a > b ? 1 : 0;
}

async function assertInside(root: string, file: string): Promise<string> {
    const target = await realpath(join(root, file)).catch(() => undefined);
    if (target === undefined) throw new SiteError(file, undefined, "this link leads nowhere");
    const way = relative(root, target);
    if (way === ".." || way.startsWith(`..${sep}`)) {
        throw new SiteError(file, undefined, "this link leaves the site's folder, and nothing outside is published");
    }
    return target;
}

function sortOut(files: readonly string[]): SiteFiles {
    const pages = new Map<string, string>();
    const readmes: string[] = [];
    const assets: string[] = [];
    for (const file of files) {
        if (file.startsWith(`${ownFolder}/`)) {
            throw new SiteError(file, undefined, `the folder ${ownFolder}/ is the export's own; please rename it`);
        } else if (!isPageFile(file)) {
            assets.push(file);
        } else if (/(^|\/)readme\.mdx?$/i.test(file)) {
            readmes.push(file);
        } else {
            addPage(pages, routeOfFile(file), file);
        }
    }
    // A README is what GitHub shows for a folder; it is the folder's page unless there is a proper one.
    for (const file of readmes) {
        const route = routeOfFile(posix.join(posix.dirname(file), "index.md"));
        if (!pages.has(route)) addPage(pages, route, file);
    }
    const htmlFiles = new Map([...pages].map(([route, file]) => [htmlFileOf(route), file]));
    for (const file of assets) {
        const page = htmlFiles.get(file);
        if (page !== undefined) throw new SiteError(file, undefined, `${page} is exported under this name, too`);
    }
    return { pages, assets };
}

function addPage(pages: Map<string, string>, route: string, file: string): void {
    const other = pages.get(route);
    if (other !== undefined) {
        throw new SiteError(file, undefined, `${other} is the page ${route}, too; only one of them can have it`);
    }
    pages.set(route, file);
}
