import { join } from "node:path";
import { createBreather } from "./breather.js";
import { configFile, readDocsConfig } from "./docs-config.js";
import { type LinkTargets } from "./link-resolver.js";
import { filterNavigation, routesOfNavigation, type Navigation } from "./navigation.js";
import { readNavigation } from "./navigation-from-config.js";
import { navigationFromFolder } from "./navigation-from-folder.js";
import { OutputFolder } from "./output-folder.js";
import { PageCache } from "./page-cache.js";
import { PageWriter } from "./page-writer.js";
import { homeRoute, htmlFileOf } from "./routes.js";
import { SearchData } from "./search-data.js";
import { writeNotFound, writeRedirectHome, writeRobots, writeSitemap } from "./side-files.js";
import { SiteError } from "./site-error.js";
import { scanSite } from "./site-files.js";
import { readPages, type SitePage } from "./site-pages.js";
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
    /** Routes such as `guides/start`; only these pages are exported, and the navigation lists only them. */
    paths?: readonly string[];
    /** Where rendered pages are kept between exports; without it every page is rendered anew. */
    cacheDir?: string;
    /** Called once before the first page and after every page. */
    onProgress?: (progress: { pagesDone: number; pagesTotal: number }) => void;
    signal?: AbortSignal;
}

export interface SiteWarning {
    readonly file: string;
    readonly line: number | undefined;
    readonly reason: string;
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
 *
 * @throws SiteError when the site is at fault; nothing that was written then is of use.
 */
export async function exportSite(options: ExportSiteOptions): Promise<ExportSiteResult> {
    const { siteDir, outDir, cacheDir, domain, version, signal } = options;
    const breathe = createBreather(signal);
    await breathe();
    const files = await scanSite(siteDir, cacheDir === undefined ? [outDir] : [outDir, cacheDir]);
    const [config, theme, fingerprint] = await Promise.all([readDocsConfig(siteDir), readTheme(), rendererFingerprint()]);
    const cache = await PageCache.open(cacheDir, domain, fingerprint);

    const configured = config.navigation === undefined ? undefined : readNavigation(config, files.pages);
    const candidates = configured === undefined ? files.pages : pick(files.pages, routesOfNavigation(configured));
    const pages = new Map((await readPages(siteDir, candidates, cache, breathe)).map((page) => [page.route, page]));
    const visible = [...pages.values()].filter((page) => page.meta.hidden !== true);
    const complete = filterNavigation(
        configured ?? navigationFromFolder(visible.map(({ route, file, meta }) => ({ route, file, order: meta.order }))),
        (route) => pages.get(route)?.meta.hidden !== true,
    );
    const listed = new Set(routesOfNavigation(complete));
    if (listed.size === 0) throw emptySite(config.navigation !== undefined, files.pages.size);
    const navigation = choosePaths(complete, listed, files.pages, options.paths);
    const routes = routesOfNavigation(navigation);
    const targets: LinkTargets = {
        domain,
        pages: files.pages,
        assets: new Set(files.assets),
        listed,
        exported: new Set(routes),
    };

    const output = OutputFolder.create(outDir);
    const search = new SearchData();
    const ordered = routes.map((route) => pages.get(route) as SitePage);
    const writer = new PageWriter({ settings: config.settings, navigation, pages: ordered, targets, theme, cache, version });
    const report = (pagesDone: number) => options.onProgress?.({ pagesDone, pagesTotal: routes.length });
    report(0);
    for (const [index, page] of ordered.entries()) {
        const { html, sections } = writer.write(page, index);
        search.add({ route: page.route, title: page.title, description: page.meta.description, sections });
        output.write(htmlFileOf(page.route), html);
        report(index + 1);
        await breathe();
    }

    for (const file of files.assets) {
        output.copy(file, join(siteDir, file));
        await breathe();
    }
    for (const [file, content] of theme.contents) output.write(file, content);
    output.write(theme.searchData, search.toScript());
    const generated = new Map([
        ["sitemap.xml", writeSitemap(domain, ordered.filter((page) => page.meta.noindex !== true).map((page) => page.route))],
        ["robots.txt", writeRobots(domain)],
        ["404.html", writeNotFound(writer.siteName)],
    ]);
    if (!targets.exported.has(homeRoute)) generated.set("index.html", writeRedirectHome(domain, routes[0] as string));
    for (const [file, content] of generated) {
        // A site that brings its own keeps it.
        if (!targets.assets.has(file) && !targets.exported.has(file.replace(/\.html$/, ""))) output.write(file, content);
    }
    await breathe();
    await cache.save(breathe);
    return { pageCount: routes.length, warnings: writer.warnings, reusedCount: writer.reusedCount };
}

function pick(pages: ReadonlyMap<string, string>, routes: readonly string[]): Map<string, string> {
    return new Map(routes.map((route) => [route, pages.get(route) as string]));
}

function emptySite(hasNavigation: boolean, pageCount: number): SiteError {
    if (pageCount === 0) return new SiteError(".", undefined, "the site has no pages: there is no .md or .mdx file in its folder");
    return hasNavigation
        ? new SiteError(configFile, undefined, "navigation lists no page that is not hidden")
        : new SiteError(".", undefined, "every page of the site is hidden");
}

function choosePaths(
    navigation: Navigation,
    listed: ReadonlySet<string>,
    pages: ReadonlyMap<string, string>,
    paths: readonly string[] | undefined,
): Navigation {
    if (paths === undefined) return navigation;
    const chosen = new Set(
        paths.map((path) => {
            const route = path.replace(/^\/+|\/+$/g, "").replace(/\.(?:html|mdx?)$/i, "") || homeRoute;
            if (listed.has(route)) return route;
            const reason = pages.has(route)
                ? "paths names this page, but it is hidden or not in the navigation"
                : "paths names this page, but the site has no such page (a path is a page's address, such as guides/start)";
            throw new SiteError(path, undefined, reason);
        }),
    );
    if (chosen.size === 0) throw new SiteError("paths", undefined, "an empty list of paths asks for no page at all; leave it out");
    return filterNavigation(navigation, (route) => chosen.has(route));
}
