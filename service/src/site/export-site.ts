import { join } from "node:path";
import { createBreather } from "./breather.js";
import { OutputFolder } from "./output-folder.js";
import { PageCache } from "./page-cache.js";
import { PageWriter } from "./page-writer.js";
import { homeRoute, htmlFileOf } from "./routes.js";
import { SearchData } from "./search-data.js";
import { writeNotFound, writeRedirectHome, writeRobots, writeSitemap } from "./side-files.js";
import { type SiteWarning } from "./site-error.js";
import { planSite, type SitePlan } from "./site-plan.js";
import { readTheme, rendererFingerprint } from "./theme-files.js";

export interface ExportSiteOptions {
    /** Folder of Markdown files, with or without a `docs.json`. */
    siteDir: string;
    /** Created when missing; must be empty. */
    outDir: string;
    /** Host name of the site, for canonical addresses and the site map. */
    domain: string;
    /** Label of this export, shown at the foot of every page. */
    version?: string;
    /** Addresses such as `/guides/start`; only these pages are exported, and the navigation lists only them. */
    paths?: readonly string[];
    /** Where rendered pages are kept between exports; without it every page is rendered anew. */
    cacheDir?: string;
    /** Called once before the first page and after every page. */
    onProgress?: (progress: { pagesDone: number; pagesTotal: number }) => void;
    signal?: AbortSignal;
}

export interface ExportSiteResult {
    pageCount: number;
    /** Links that lead nowhere. They do not fail an export: a site with a dead link is better than none. */
    warnings: readonly SiteWarning[];
    /** How many pages were taken from `cacheDir` instead of being rendered. */
    reusedCount: number;
}

/**
 * Renders a site into static files that need no server. The same site gives the same bytes, with and without a cache.
 * When it rejects, nothing is written any more, and what was written is of no use.
 *
 * @throws SiteError when the site is at fault, the signal's reason when it was aborted
 */
export async function exportSite(options: ExportSiteOptions): Promise<ExportSiteResult> {
    const { siteDir, outDir, cacheDir, domain, paths, signal } = options;
    const breathe = createBreather(signal);
    await breathe();
    const cache = await PageCache.open(cacheDir, domain, await rendererFingerprint());
    const excludedDirs = cacheDir === undefined ? [outDir] : [outDir, cacheDir];
    const plan = await planSite({ siteDir, excludedDirs, domain, paths, cache, breathe });
    const output = OutputFolder.create(outDir);
    try {
        const result = await writeSite(plan, options, output, cache, breathe);
        await output.finish();
        await cache.save(breathe);
        return result;
    } finally {
        await output.settle();
    }
}

async function writeSite(
    plan: SitePlan,
    { siteDir, domain, version, onProgress }: ExportSiteOptions,
    output: OutputFolder,
    cache: PageCache,
    breathe: () => Promise<void>,
): Promise<ExportSiteResult> {
    const { pages, assets } = plan;
    const theme = await readTheme();
    const writer = new PageWriter({ plan, theme, cache, version });
    const search = new SearchData();
    onProgress?.({ pagesDone: 0, pagesTotal: pages.length });
    for (const [index, page] of pages.entries()) {
        const { html, sections } = writer.write(page, index);
        search.add({ route: page.route, title: page.title, description: page.meta.description, sections });
        await output.write(htmlFileOf(page.route), html);
        onProgress?.({ pagesDone: index + 1, pagesTotal: pages.length });
        await breathe();
    }
    for (const file of assets) {
        await output.copy(file, join(siteDir, file));
        await breathe();
    }
    for (const [file, content] of theme.contents) await output.write(file, content);
    await output.write(theme.searchData, search.toScript());
    for (const [file, content] of generatedFiles(plan, domain, writer.siteName)) await output.write(file, content);
    return { pageCount: pages.length, warnings: writer.warnings, reusedCount: writer.reusedCount };
}

/** What every site has; one that brings its own keeps that. */
function generatedFiles({ pages, targets }: SitePlan, domain: string, siteName: string): Map<string, string> {
    const indexed = pages.filter((page) => page.meta.noindex !== true).map((page) => page.route);
    const files = new Map([
        ["sitemap.xml", writeSitemap(domain, indexed)],
        ["robots.txt", writeRobots(domain)],
        ["404.html", writeNotFound(siteName)],
        ["index.html", writeRedirectHome(domain, (pages[0] as { route: string }).route)],
    ]);
    for (const file of [...files.keys()]) {
        if (targets.assets.has(file)) files.delete(file);
    }
    for (const route of ["404", homeRoute]) {
        if (targets.exported.has(route)) files.delete(htmlFileOf(route));
    }
    return files;
}
