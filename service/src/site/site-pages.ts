import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { markdownToHast } from "satteri";
import { bodyOf, readFrontMatter, type FrontMatter } from "./front-matter.js";
import { humanize } from "./navigation-from-folder.js";
import { type CachedPage, type PageCache } from "./page-cache.js";
import { textOf } from "./page-renderer.js";
import { homeRoute } from "./routes.js";

/** A page as it was read, before it is rendered. */
export interface SitePage {
    readonly route: string;
    readonly file: string;
    readonly source: string;
    readonly meta: FrontMatter;
    readonly title: string;
    /** What the page is called in the navigation. */
    readonly label: string;
    readonly cacheKey: string;
    readonly cached: CachedPage | undefined;
}

/** Reads pages in the given order. */
export async function readPages(
    siteDir: string,
    files: ReadonlyMap<string, string>,
    cache: PageCache,
    breathe: () => Promise<void>,
): Promise<SitePage[]> {
    const pages: SitePage[] = [];
    for (const [route, file] of files) {
        pages.push(toPage(route, file, readFileSync(join(siteDir, file), "utf8"), cache));
        await breathe();
    }
    return pages;
}

function toPage(route: string, file: string, text: string, cache: PageCache): SitePage {
    const source = text.replace(/^\uFEFF/, "");
    const cacheKey = cache.keyOf(file, route, source);
    const cached = cache.get(cacheKey);
    const meta = cached?.meta ?? readFrontMatter(file, source);
    const title = cached?.title ?? meta.title ?? headingOf(source) ?? nameOf(route, file);
    return { route, file, source, meta, title, label: meta.sidebarTitle ?? title, cacheKey, cached };
}

/** The text of the first-level heading with which a page begins. */
function headingOf(source: string): string | undefined {
    const line = /^\s*(# [^\n]+)/.exec(bodyOf(source))?.[1];
    const text = line === undefined ? "" : textOf(markdownToHast(line, { position: false })).trim();
    return text === "" ? undefined : text;
}

function nameOf(route: string, file: string): string {
    return route === homeRoute ? "Home" : humanize(posix.basename(routeName(route, file)));
}

function routeName(route: string, file: string): string {
    return /(^|\/)(index|readme)\.mdx?$/i.test(file) ? route : file.replace(/\.mdx?$/i, "");
}
