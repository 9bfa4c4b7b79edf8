import { markdownCopy, writeLlmsText } from "./write/markdown-copies.js";
import { createBreather } from "./breather.js";
import { OutputFolder } from "./write/output-folder.js";
import { PageCache } from "./write/page-cache.js";
import { PageWriter } from "./write/page-writer.js";
import { routesOfNavigation } from "./read/navigation.js";
import { homeRoute, htmlFileOf, markdownFileOf } from "./read/routes.js";
import { SearchData } from "./write/search-data.js";
import { writeNotFound, writeRedirectHome, writeRobots, writeSitemap } from "./write/side-files.js";
import { SiteError } from "./site-error.js";
import { WarningLog, type SiteWarning, type WarningKind } from "./warnings.js";
import { planSite, type SitePlan } from "./read/site-plan.js";
import { diagramScript, readTheme, rendererFingerprint } from "./write/theme-files.js";

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
    /** Folders that are not published although they may lie in the site; `outDir` and `cacheDir` never are. */
    excludedDirs?: readonly string[];
    /** Called before a page is read or rendered, and with undefined when no page is worked on any more. */
    onPage?: (file: string | undefined) => void;
    /** Called once before the first page and after every page. */
    onProgress?: (progress: { pagesDone: number; pagesTotal: number }) => void;
    /** Fails when there is any warning, after all of them were found. */
    strict?: boolean;
    signal?: AbortSignal;
}

export interface ExportSiteResult {
    pageCount: number;
    /** What the site's authors should know, at most 500 of them. */
    warnings: readonly SiteWarning[];
    /** How many warnings there are of each kind, those beyond the first 500 included. */
    warningCounts: Readonly<Partial<Record<WarningKind, number>>>;
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
    const excludedDirs = [outDir, ...(cacheDir === undefined ? [] : [cacheDir]), ...(options.excludedDirs ?? [])];
    const plan = await planSite({
        siteDir,
        excludedDirs,
        domain,
        paths,
        cache,
        breathe,
        onPage: options.onPage,
    });
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
    { domain, version, onPage, onProgress, strict }: ExportSiteOptions,
    output: OutputFolder,
    cache: PageCache,
    breathe: () => Promise<void>,
): Promise<ExportSiteResult> {
    const { pages, assets, onlyWhenLinked, content, targets } = plan;
    const theme = await readTheme();
    const warnings = new WarningLog();
    plan.problems.forEach((problem) => warnings.add(problem));
    const writer = new PageWriter({ plan, theme, cache, version, warnings });
    const search = new SearchData();
    onProgress?.({ pagesDone: 0, pagesTotal: pages.length });
    for (const [index, page] of pages.entries()) {
        onPage?.(page.file);
        const { html, sections, isHidden } = writer.write(page, index);
        if (!isHidden) {
            search.add({ route: page.route, title: page.title, description: page.meta.description, sections });
        }
        await output.write(htmlFileOf(page.route), html);
        if (page.source !== "") {
            await output.write(markdownFileOf(page.route), markdownCopy(page));
        }
        onProgress?.({ pagesDone: index + 1, pagesTotal: pages.length });
        await breathe();
    }
    onPage?.(undefined);
    for (const file of assets) {
        if (onlyWhenLinked.has(file) && !targets.linkedAssets.has(file)) {
            continue;
        }
        await output.copy(file, content.open(file));
        await breathe();
    }
    for (const [file, text] of theme.contents) {
        await output.write(file, text);
    }
    await output.write(theme.searchData, search.toScript());
    if (writer.hasDiagrams) {
        await output.write(theme.diagrams, await diagramScript());
    }
    for (const [file, content] of generatedFiles(plan, domain, writer.siteName)) {
        await output.write(file, content);
    }
    if (strict === true && warnings.total > 0) {
        throw strictError(warnings);
    }
    return {
        pageCount: pages.length,
        warnings: warnings.kept,
        warningCounts: warnings.counts,
        reusedCount: writer.reusedCount,
    };
}

function strictError(warnings: WarningLog): SiteError {
    const [first] = warnings.kept as [SiteWarning];
    const more = warnings.total === 1 ? "" : ` (and ${warnings.total - 1} more warnings)`;
    return new SiteError(first.file, first.line, `${first.reason}${more}`);
}

/** What every site has; one that brings its own keeps that. */
function generatedFiles(
    { pages, targets, navigation }: SitePlan,
    domain: string,
    siteName: string,
): Map<string, string> {
    const listed = new Set(routesOfNavigation(navigation));
    const indexed = pages
        .filter(({ route, meta }) => meta.noindex !== true && listed.has(route))
        .map((page) => page.route);
    const files = new Map([
        ["sitemap.xml", writeSitemap(domain, indexed)],
        ["robots.txt", writeRobots(domain)],
        [
            "llms.txt",
            writeLlmsText(
                siteName,
                domain,
                pages.filter(({ route }) => listed.has(route)),
            ),
        ],
        ["404.html", writeNotFound(siteName)],
        ["index.html", writeRedirectHome(domain, (pages[0] as { route: string }).route)],
    ]);
    for (const file of [...files.keys()]) {
        if (targets.assets.has(file)) {
            files.delete(file);
        }
    }
    for (const route of ["404", homeRoute]) {
        if (targets.exported.has(route)) {
            files.delete(htmlFileOf(route));
        }
    }
    return files;
}
