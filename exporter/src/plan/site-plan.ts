import { posix } from "node:path";
import { type ExportFeatures } from "../settings/deployment.js";
import { type LinkTargets, withoutPrefix } from "../links/link-resolver.js";
import { placeOfSite, type SitePlace, withinBasePath } from "./base-path.js";
import { SiteError } from "../problems/site-error.js";
import { type SiteWarning } from "../problems/warnings.js";
import { type PageCache } from "./page-cache.js";
import { SiteApi } from "../openapi/api-pages.js";
import { type DocsConfig, readDocsConfig, type SiteSettings } from "../settings/docs-config.js";
import { type FoundFiles } from "../files/found-files.js";
import { lineOfKey } from "../front-matter/front-matter.js";
import { filterNavigation, routesOfNavigation, type Navigation } from "../navigation/navigation.js";
import { Redirects } from "../links/redirects.js";
import { readNavigation } from "../navigation/navigation-from-config.js";
import { folderSettingsOf } from "../navigation/folder-settings.js";
import { navigationFromFolder } from "../navigation/navigation-from-folder.js";
import { navigationFromSummary, summaryFile, type SummaryNavigation } from "../navigation/navigation-from-summary.js";
import { homeRoute, isReadme, routeOfFile } from "../files/routes.js";
import { scanSite, type SiteFiles } from "../files/site-files.js";
import { placeInSettings } from "../settings/place-of-setting.js";
import { brokenSettingLinks } from "../navigation/setting-links.js";
import { type SitePage } from "./site-page.js";
import { apiPage, readPages } from "./site-pages.js";

/** What an export will write, known before the first page is rendered. */
export interface SitePlan {
    /** `tryIt` where the deployment may have it and the site wants it and has operations. */
    readonly features: ExportFeatures;
    readonly settings: SiteSettings;
    readonly navigation: Navigation;
    /** In reading order; those that the navigation does not list come last. */
    readonly pages: readonly SitePage[];
    readonly assets: readonly string[];
    /** The site's own style sheets, which every page loads. */
    readonly styles: readonly string[];
    /** The assets that are published only if a page links to them. */
    readonly onlyWhenLinked: ReadonlySet<string>;
    readonly content: FoundFiles;
    readonly targets: LinkTargets;
    readonly problems: readonly SiteWarning[];
    /** The warning with the place in the settings where its cause stands. */
    readonly placed: (warning: SiteWarning) => SiteWarning;
}

export interface SitePlanOptions {
    readonly siteDir: string;
    /** Folders that are no part of the site although they may lie in it. */
    readonly excludedDirs: readonly string[];
    readonly domain: string;
    /** Where the site is served; undefined to take it from the settings. */
    readonly basePath: string | undefined;
    readonly paths: readonly string[] | undefined;
    readonly features: ExportFeatures;
    readonly cache: PageCache;
    readonly yieldToEventLoop: () => Promise<void>;
    readonly onPage: ((file: string | undefined) => void) | undefined;
}

/** @throws SiteError */
export async function planSite(options: SitePlanOptions): Promise<SitePlan> {
    const { domain } = options;
    const files = await scanSite(options.siteDir, options.excludedDirs, options.yieldToEventLoop);
    const config = readDocsConfig(files.content);
    const read = await readNavigationAndPages(config, files, options);
    const { pages } = read;
    const listed = new Set(routesOfNavigation(read.navigation));
    if (listed.size === 0) {
        throw emptySite(config, pages.size, read.problems);
    }
    const place = placeOfSite(options, config.settings.canonicalBase);
    const chosen = choosePaths(pages, options.paths, place);
    const navigation =
        chosen === undefined ? read.navigation : filterNavigation(read.navigation, (route) => chosen.has(route));
    const routes = orderedRoutes(navigation, pages, chosen);
    const assets = new Set(files.assets);
    const tryIt = read.tryIt && [...pages.values()].some(({ operation }) => operation?.isWebhook === false);
    const settings = withinBasePath(withFoundFavicon(config.settings, assets), place.basePath);
    const targets: LinkTargets = {
        domain,
        ...place,
        pages: new Map([...pages].map(([route, page]) => [route, page.file])),
        assets,
        listed: new Set(pages.keys()),
        exported: new Set(routes),
        redirects: new Redirects(settings.redirects ?? []),
        isRootKnown: config.navigation !== undefined,
    };
    return {
        features: { ...options.features, tryIt },
        settings,
        navigation,
        pages: routes.map((route) => pages.get(route) as SitePage),
        assets: files.assets,
        styles: config.source === "" ? [] : publishedAlways(files, /\.css$/i),
        onlyWhenLinked: files.onlyWhenLinked,
        content: files.content,
        targets,
        problems: [...read.problems, ...brokenSettingLinks(settings, read.navigation.links, targets)],
        placed: (warning) => placeInSettings(warning, config),
    };
}

async function readNavigationAndPages(config: DocsConfig, files: SiteFiles, options: SitePlanOptions) {
    const { cache, yieldToEventLoop } = options;
    const problems: SiteWarning[] = [
        ...files.problems.map(({ file, reason }) => ({ kind: "navigation" as const, file, line: undefined, reason })),
        ...config.problems.map(({ kind, reason }) => ({ kind, file: config.file, line: undefined, reason })),
    ];
    if (config.source !== "") {
        problems.push(...scriptsOf(files));
    }
    const isConfigured = config.navigation !== undefined;
    const { secondPages } = files;
    const [below] = isConfigured ? [] : files.settingsBelow;
    if (below !== undefined) {
        const folder = posix.dirname(below);
        const reason = `settings are read in the site's own folder only: if ${folder} is the site, export that folder`;
        problems.push({ kind: "navigation", file: below, line: undefined, reason });
    }
    const summary = isConfigured ? undefined : readSummary(files);
    const contents = summary === undefined ? undefined : summaryFile;
    problems.push(
        ...(summary?.problems ?? []).map((problem) => ({ ...problem, kind: "navigation" as const, file: summaryFile })),
    );
    const candidates = new Map(
        [...secondPages, ...files.pages].filter(([, file]) => !isSnippet(file, isConfigured) && file !== contents),
    );
    const api = new SiteApi(files.content, new Set(files.assets), candidates, config.settings.openapi ?? []);
    const configured = isConfigured ? readNavigation(config, candidates, api) : undefined;
    // In front: a missing page is worse than all that may be wrong with the others.
    problems.unshift(...(configured?.problems ?? []).map((problem) => ({ ...problem, file: config.file })));
    const written = (configured ?? summary)?.navigation;
    const named = new Set(written === undefined ? [] : routesOfNavigation(written));
    const isWanted = ([route, file]: [string, string]) =>
        named.has(route) || (secondPages.get(route) !== file && !(isConfigured && isForAuthors(file)));
    const wanted = new Map([...candidates].filter(isWanted));
    for (const [route, file] of secondPages) {
        if (!wanted.has(route) && !isReadme(file)) {
            const first = routeOfFile(file);
            const reason = `${files.pages.get(first)} is the page ${first}, too; this file is left out`;
            problems.push({ kind: "navigation", file, line: undefined, reason });
        }
    }
    const { iconLibrary } = config.settings;
    const tryIt = options.features.tryIt && config.settings.tryIt !== false;
    const lineIn = (file: string, key: string) => lineOfKey(files.content.readText(file), key);
    const notInDocuments = (file: string, key: string, what: string): SiteWarning => ({
        kind: "openapi",
        file,
        line: lineIn(file, key),
        reason: `no OpenAPI document of the site has ${what}: put its document into the site, or correct the name`,
    });
    const settingsKey = JSON.stringify([iconLibrary, tryIt, config.settings.apiDisplay]);
    const read = await readPages(wanted, {
        content: files.content,
        cache,
        variables: config.settings.variables ?? {},
        operationOf: (file, { openapi, asyncapi }) => {
            if (asyncapi !== undefined) {
                const reason = "asyncapi is not supported: the page is exported without its channel";
                problems.push({ kind: "openapi", file, line: lineIn(file, "asyncapi"), reason });
            }
            return openapi === undefined
                ? undefined
                : api.find(openapi, [], file, () => notInDocuments(file, "openapi", `"${openapi}"`));
        },
        modelOf: (file, { openapiSchema }) => {
            return openapiSchema === undefined
                ? undefined
                : api.findModel(openapiSchema, file, () =>
                      notInDocuments(file, "openapi-schema", `the model "${openapiSchema}"`),
                  );
        },
        settingsKey,
        yieldToEventLoop,
        onPage: options.onPage,
    });
    const pages = new Map(read.map((page) => [page.route, page]));
    for (const [route, operation] of api.generated) {
        pages.set(route, apiPage(route, operation, cache, settingsKey));
    }
    problems.push(...api.problems());
    const navigation =
        written ??
        navigationFromFolder(
            read.map(({ route, file, meta }) => ({ route, file, order: meta.order })),
            (folder) =>
                folderSettingsOf(folder, files.content, (file, reason) => {
                    problems.push({ kind: "navigation", file, line: undefined, reason });
                }),
        );
    const visible = filterNavigation(navigation, (route) => pages.get(route)?.meta.hidden !== true);
    return { navigation: visible, pages, problems, tryIt };
}

/** What GitBook and others take for the navigation, unless it names no page and so is one itself. */
function readSummary({ pages, secondPages, content }: SiteFiles): SummaryNavigation | undefined {
    const isThere = pages.get(routeOfFile(summaryFile)) === summaryFile;
    return isThere
        ? navigationFromSummary(content.readText(summaryFile), new Map([...secondPages, ...pages]))
        : undefined;
}

/** Listed pages in reading order, then the others by their addresses. */
function orderedRoutes(
    navigation: Navigation,
    pages: ReadonlyMap<string, SitePage>,
    chosen: ReadonlySet<string> | undefined,
): string[] {
    const listed = routesOfNavigation(navigation).filter((route) => pages.has(route));
    const known = new Set(listed);
    const others = [...pages.keys()].filter((route) => !known.has(route) && chosen?.has(route) !== false);
    return [...listed, ...others];
}

/** Parts that pages import; they are no pages of their own. */
function isSnippet(file: string, isConfigured: boolean): boolean {
    return isConfigured && /^snippets\//.test(file);
}

/**
 * What a repository has for those who work on it, unless the navigation lists it: Markdown with names that everybody gives
 * such files, for agents and about security in the capital letters that their readers ask for. A changelog.mdx is a page.
 */
function isForAuthors(file: string): boolean {
    return (
        isReadme(file) ||
        /(?:^|\/)(?:contributing|license|changelog|code_of_conduct)\.md$/i.test(file) ||
        /(?:^|\/)(?:SECURITY|AGENTS|CLAUDE)\.md$/.test(file)
    );
}

function publishedAlways({ assets, onlyWhenLinked }: SiteFiles, name: RegExp): string[] {
    return assets.filter((file) => name.test(file) && !onlyWhenLinked.has(file));
}

/** Scripts that the platform runs on every page. What exports something is for pages to import. */
function scriptsOf(files: SiteFiles): SiteWarning[] {
    return publishedAlways(files, /\.js$/i)
        .filter((file) => !/^\s*(?:export|import)\b/m.test(files.content.readText(file)))
        .map((file) => ({
            kind: "settings",
            file,
            line: undefined,
            reason: "this script is on no page: an export runs no script of a site",
        }));
}

function emptySite(config: DocsConfig, pageCount: number, problems: readonly SiteWarning[]): SiteError {
    if (pageCount === 0) {
        return new SiteError(".", undefined, "the site has no pages: there is no .md or .mdx file in its folder");
    }
    if (config.navigation === undefined) {
        return new SiteError(".", undefined, "every page of the site is hidden");
    }
    const first =
        problems.find(({ kind, file }) => kind === "navigation" && file === config.file) ??
        problems.find(({ kind, file }) => kind === "openapi" && file === "docs.json");
    const reason = first === undefined ? ", or only hidden ones" : ` that the site has: ${first.reason}`;
    return new SiteError(config.file, first?.line, `navigation lists no page${reason}`);
}

function choosePaths(
    pages: ReadonlyMap<string, SitePage>,
    paths: readonly string[] | undefined,
    place: SitePlace,
): ReadonlySet<string> | undefined {
    if (paths === undefined) {
        return undefined;
    }
    if (paths.length === 0) {
        throw new SiteError("paths", undefined, "an empty list asks for no page at all; leave it out");
    }
    return new Set(
        paths.map((path) => {
            const route = [path, ...withoutPrefix(path, place)]
                .map((each) => each.replace(/^\/+|\/+$/g, "").replace(/\.(?:html|mdx?)$/i, "") || homeRoute)
                .find((each) => pages.has(each));
            if (route !== undefined) {
                return route;
            }
            const reason = "paths asks for this page, but the site has none at this address";
            throw new SiteError(path, undefined, `${reason}; a path is a page's address, such as guides/start`);
        }),
    );
}

function withFoundFavicon(settings: SiteSettings, assets: ReadonlySet<string>): SiteSettings {
    const found = ["favicon.svg", "favicon.ico", "favicon.png"].find((file) => assets.has(file));
    return settings.favicon !== undefined || found === undefined
        ? settings
        : { ...settings, favicon: { light: `/${found}`, dark: `/${found}` } };
}
