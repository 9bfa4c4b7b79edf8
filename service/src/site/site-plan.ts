import { type DocsConfig, configFile, readDocsConfig, type SiteSettings } from "./docs-config.js";
import { type LinkTargets } from "./link-resolver.js";
import { filterNavigation, routesOfNavigation, type Navigation } from "./navigation.js";
import { readNavigation } from "./navigation-from-config.js";
import { navigationFromFolder } from "./navigation-from-folder.js";
import { type PageCache } from "./page-cache.js";
import { homeRoute } from "./routes.js";
import { SiteError } from "./site-error.js";
import { scanSite, type SiteFiles } from "./site-files.js";
import { readPages, type SitePage } from "./site-pages.js";

/** What an export will write, known before the first page is rendered. */
export interface SitePlan {
    readonly settings: SiteSettings;
    readonly navigation: Navigation;
    /** In reading order. */
    readonly pages: readonly SitePage[];
    readonly assets: readonly string[];
    readonly targets: LinkTargets;
}

export interface SitePlanOptions {
    readonly siteDir: string;
    /** Folders that are no part of the site although they may lie in it. */
    readonly excludedDirs: readonly string[];
    readonly domain: string;
    readonly paths: readonly string[] | undefined;
    readonly cache: PageCache;
    readonly breathe: () => Promise<void>;
}

/** @throws SiteError */
export async function planSite(options: SitePlanOptions): Promise<SitePlan> {
    const { siteDir, domain } = options;
    const files = await scanSite(siteDir, options.excludedDirs);
    const config = await readDocsConfig(siteDir);
    const { navigation: complete, pages } = await readNavigationAndPages(config, files, options);
    const listed = new Set(routesOfNavigation(complete));
    if (listed.size === 0) throw emptySite(config.navigation !== undefined, files.pages.size);

    const navigation = choosePaths(complete, listed, files.pages, options.paths);
    const routes = routesOfNavigation(navigation);
    const assets = new Set(files.assets);
    return {
        settings: withFoundFavicon(config.settings, assets),
        navigation,
        pages: routes.map((route) => pages.get(route) as SitePage),
        assets: files.assets,
        targets: { domain, pages: files.pages, assets, listed, exported: new Set(routes) },
    };
}

/** With a `docs.json` only the pages that it lists are read. */
async function readNavigationAndPages(config: DocsConfig, files: SiteFiles, options: SitePlanOptions) {
    const configured = config.navigation === undefined ? undefined : readNavigation(config, files.pages);
    const candidates = configured === undefined ? files.pages : pick(files.pages, routesOfNavigation(configured));
    const read = await readPages(options.siteDir, candidates, options.cache, options.breathe);
    const pages = new Map(read.map((page) => [page.route, page]));
    const navigation =
        configured ?? navigationFromFolder(read.map(({ route, file, meta }) => ({ route, file, order: meta.order })));
    return { navigation: filterNavigation(navigation, (route) => pages.get(route)?.meta.hidden !== true), pages };
}

function pick(pages: ReadonlyMap<string, string>, routes: readonly string[]): Map<string, string> {
    return new Map(routes.map((route) => [route, pages.get(route) as string]));
}

function emptySite(hasNavigation: boolean, pageCount: number): SiteError {
    if (pageCount === 0)
        return new SiteError(".", undefined, "the site has no pages: there is no .md or .mdx file in its folder");
    return hasNavigation
        ? new SiteError(configFile, undefined, "navigation lists no page, or only hidden ones")
        : new SiteError(".", undefined, "every page of the site is hidden");
}

function choosePaths(
    navigation: Navigation,
    listed: ReadonlySet<string>,
    pages: ReadonlyMap<string, string>,
    paths: readonly string[] | undefined,
): Navigation {
    if (paths === undefined) return navigation;
    if (paths.length === 0)
        throw new SiteError("paths", undefined, "an empty list asks for no page at all; leave it out");
    const chosen = new Set(paths.map((path) => routeOfPath(path, listed, pages)));
    return filterNavigation(navigation, (route) => chosen.has(route));
}

function routeOfPath(path: string, listed: ReadonlySet<string>, pages: ReadonlyMap<string, string>): string {
    const route = path.replace(/^\/+|\/+$/g, "").replace(/\.(?:html|mdx?)$/i, "") || homeRoute;
    if (listed.has(route)) return route;
    const reason = pages.has(route)
        ? "paths asks for this page, but it is hidden or not in the navigation"
        : "paths asks for this page, but the site has none at this address";
    throw new SiteError(path, undefined, `${reason}; a path is a page's address, such as guides/start`);
}

function withFoundFavicon(settings: SiteSettings, assets: ReadonlySet<string>): SiteSettings {
    const found = ["favicon.svg", "favicon.ico", "favicon.png"].find((file) => assets.has(file));
    return settings.favicon !== undefined || found === undefined ? settings : { ...settings, favicon: `/${found}` };
}
