import { pathOf, pathOfRoute, titleOf } from "./page-path.js";
import { type SiteFiles } from "./site-files.js";

export interface ListedPage {
    /** The path from the site's root, such as `/guides/start`. */
    readonly path: string;
    readonly title: string;
    readonly description?: string;
}

/** The maximum number of pages whose titles are read from their files, one by one. */
const maxClosedPages = 1000;

const entry = /^- \[([^\]]*)\]\((\S+?)\)(?:: (.*))?$/;

/** The maximum number of parts; a site with this many parts has millions of pages. */
const maxParts = 1000;

/**
 * The pages that the site lists for programs, and additional pages for certain readers.
 *
 * @param closed the Markdown files of the additional pages
 */
export async function listedPages(files: Pick<SiteFiles, "read">, closed: readonly string[]): Promise<ListedPage[]> {
    const listed = (await pagesOfParts(files)) ?? (await pagesOfText(files));
    const further: ListedPage[] = [];
    for (const file of closed.slice(0, maxClosedPages)) {
        further.push({ path: pathOf(file), title: titleOf((await files.read(file)) ?? "") ?? file });
    }
    return [...listed, ...further];
}

/** The list that exports contain for programs; undefined for exports by earlier versions. */
async function pagesOfParts(files: Pick<SiteFiles, "read">): Promise<ListedPage[] | undefined> {
    const listed: ListedPage[] = [];
    for (let part = 1; part <= maxParts; part += 1) {
        const text = await files.read(`static-export/pages-${part}.json`);
        if (text === undefined) {
            return part === 1 ? undefined : listed;
        }
        const { pages, isLast } = parsePart(text) ?? { pages: [], isLast: true };
        for (const [route, title, description] of pages) {
            listed.push({ path: pathOfRoute(route), title, ...(description !== undefined && { description }) });
        }
        if (isLast) {
            break;
        }
    }
    return listed;
}

interface PagePart {
    readonly pages: readonly (readonly [route: string, title: string, description?: string])[];
    readonly isLast: boolean;
}

/** Undefined for a part that was not written by an export. */
function parsePart(text: string): PagePart | undefined {
    try {
        const { pages, isLast } = JSON.parse(text) as Partial<PagePart>;
        const isPage = (page: readonly unknown[]) => page.length > 1 && page.every((each) => typeof each === "string");
        return Array.isArray(pages) && pages.every((page) => Array.isArray(page) && isPage(page))
            ? { pages: pages as PagePart["pages"], isLast: isLast !== false }
            : undefined;
    } catch {
        return undefined;
    }
}

/** The pages in llms.txt, which may not contain all pages of a large site. */
async function pagesOfText(files: Pick<SiteFiles, "read">): Promise<ListedPage[]> {
    const text = (await files.read("llms.txt")) ?? "";
    const entries = text.split("\n").flatMap((line) => {
        const [, title = "", address = "", description] = entry.exec(line) ?? [];
        const pathname = URL.canParse(address) ? decodeURI(new URL(address).pathname) : address;
        return title === "" ? [] : [{ title, pathname, description }];
    });
    const prefix = commonPrefix(entries.map(({ pathname }) => pathname));
    const base = await basePathIn(files, prefix, entries[0]?.pathname ?? "/");
    return entries.map(({ title, pathname, description }) => ({
        path: pathOf(pathname.slice(base.length)),
        title,
        ...(description !== undefined && { description }),
    }));
}

/**
 * Returns the path below which the site is served, such as /docs: its addresses contain the path, but its files do not.
 */
async function basePathIn(files: Pick<SiteFiles, "read">, prefix: string, pathname: string): Promise<string> {
    const ends = [...prefix.matchAll(/\//g)].map(({ index }) => index + 1);
    for (const end of ends) {
        const file = pathname.slice(end);
        if (file.endsWith(".md") && (await files.read(file)) !== undefined) {
            return pathname.slice(0, end);
        }
    }
    return "/";
}

/** Returns the beginning that all paths share, up to its last slash. */
function commonPrefix(paths: readonly string[]): string {
    let [prefix = "/"] = paths;
    for (const path of paths) {
        while (!path.startsWith(prefix)) {
            prefix = prefix.slice(0, -1);
        }
    }
    return prefix.slice(0, prefix.lastIndexOf("/") + 1);
}
