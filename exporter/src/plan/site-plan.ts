import { type Readers, areSameReaders, mayAllRead } from "../read/readers/readers.js";
import { type DeploymentOptions, type ExportFeatures, featuresOf } from "../read/settings/deployment.js";
import { type AnchorLink } from "./links/anchor-check.js";
import { type LinkTargets, type Routes, routeOfLink } from "./links/link-resolver.js";
import { placeOfSite, withinBasePath } from "./base-path.js";
import { SiteError } from "../problems/site-error.js";
import { type FoundWarning, type SettingPlace, type SourcePlace } from "../problems/warning-log.js";
import { filesBehindPages } from "./left-out-pages.js";
import { type PageWork } from "./site-pages.js";
import { type DocsConfig } from "../read/settings/docs-config.js";
import { type SiteSettings } from "../read/settings/site-settings.js";
import { type FoundFiles } from "../read/files/found-files.js";
import { filterNavigation, type Navigation } from "./navigation/navigation.js";
import { Redirects } from "./links/redirects.js";
import { anchorsOfRedirects, problemsOfRedirects, usableRedirects, withPageAddresses } from "./links/site-redirects.js";
import { exportedPages, type ExportedPages, unpublishedFiles } from "./pages-for-readers.js";
import { hasDomain, homeRoute, htmlFileOf, ownRouteOfFile } from "../read/files/routes.js";
import { servableSettings, withReadableLinks, brokenSettingLinks } from "./servable-settings.js";
import { type ModelRoutes } from "./made-pages.js";
import { warningOfReaders, type PrivatePages } from "./page-readers.js";
import { problemsOfPage, type SitePage } from "./site-page.js";
import { publishedAlways } from "./site-problems.js";
import { type SiteSources } from "./site-sources.js";
import { readWholeSite } from "./whole-site.js";

/** The content of an export for some readers, determined before the first page is rendered. */
export interface SitePlan {
    /** The readers of the pages in this plan. */
    readonly readers: Readers;
    /**
     * The features of the export. `tryIt` requires a deployment that supports it, the site's setting, and operations.
     */
    readonly features: ExportFeatures;
    readonly settings: SiteSettings;
    readonly settingsFile: string;
    readonly navigation: Navigation;
    /** Pages that the readers may read, in reading order; pages outside of the navigation come last. */
    readonly pages: readonly SitePage[];
    /** The pages of this plan, by route. */
    readonly byRoute: ReadonlyMap<string, SitePage>;
    /** Routes of the pages that are for exactly these readers; other readers may read the remaining pages, too. */
    readonly own: Routes;
    /** The site's own style sheets, which every page loads. */
    readonly styles: readonly string[];
    /** Files of the site's skills for agents. */
    readonly skills: readonly string[];
    /** The assets that are published only if a page links to them. */
    readonly onlyWhenLinked: ReadonlySet<string>;
    readonly content: FoundFiles;
    readonly targets: LinkTargets;
    readonly modelRoutes: ModelRoutes;
}

/** A source file of the site, and the readers of its content. */
export interface SiteText {
    readonly file: string;
    readonly readers: Readers;
}

/** The plans of an export, and the notes for its authors. */
export interface ExportPlan {
    readonly site: SitePlan;
    /** The plans for other readers: one plan for each set of readers with separate pages. */
    readonly privatePlans: readonly SitePlan[];
    /** The pages that nobody may read. The export renders these pages only to find files that no other page uses. */
    readonly forNobody: SitePlan;
    /** The sources of the settings and of all pages that are not excluded, including pages that are not in `paths`. */
    readonly texts: () => readonly SiteText[];
    readonly problems: readonly FoundWarning[];
    /** The links of the navigation to parts of pages. */
    readonly anchors: readonly AnchorLink[];
    /** The file with the site's table of contents, if the site has no settings. */
    readonly contents: string;
    /** The number of unfinished pages that the export leaves out. */
    readonly draftCount: number;
    /** Finds a setting in the file that contains it. */
    readonly placeOf: (setting: SettingPlace) => SourcePlace;
    /** Reads a page again after its file has changed. @throws SiteError */
    readonly readAgain: (route: string, file: string) => SitePage;
}

/** The content of an export, and its readers. */
export interface SiteOptions extends DeploymentOptions {
    /** Folder of Markdown files, with or without a `docs.json`. */
    sourceDir: string;
    /** Host name of the site, for canonical addresses and the sitemap. */
    domain: string;
    /**
     * The path of the domain below which the site is served, such as `docs`, as `parseBasePath` returns it; empty for
     * the root. With a path, the site is a folder of the export.
     * @default the path of the canonical address in the settings, if that address is on the domain
     */
    basePath?: string;
    /** Addresses such as `/guides/start`; only these pages are exported and listed in the navigation. */
    paths?: readonly string[];
    /** Folders that are never published, even if a page links to them. */
    excludedDirs?: readonly string[];
    /** How to treat pages that only certain readers may see (`groups`, `public: false`). @default leave-out */
    privatePages?: PrivatePages;
    /**
     * Whether the folder contains finished HTML, which is exported as it is.
     * @default true for a folder with `index.html`, without Markdown and without settings
     */
    prebuilt?: boolean;
    /** Whether pages with `draft: true` or `published: false` are exported. @default false */
    showsDrafts?: boolean;
}

/** @throws SiteError */
export async function planSite(options: SiteOptions, work: PageWork, { files }: SiteSources): Promise<ExportPlan> {
    const { domain, basePath, paths, privatePages = "leave-out", showsDrafts = false } = options;
    const showsAll = privatePages === "publish";
    const features = featuresOf(options);
    const whole = await readWholeSite(files, { ...work, features, showsAll, showsDrafts, basePath });
    const { config, navigation, listed, pages, pageReaders, modelRoutes } = whole;
    const place = placeOfSite({ domain, basePath }, config.settings.canonicalBase);
    const exported = exportedPages(pages, pageReaders, { privatePages, paths }, place);
    const { forNobody, readersOf } = exported;
    if (paths === undefined && !listed.some(exported.has)) {
        throw new SiteError(config.file, undefined, nothingForEverybody);
    }
    const { unpublished, problems: problemsOfDocuments } = unpublishedFiles(whole, files.content, { domain, showsAll });
    const behindPages = filesBehindPages(files.assets, pages);
    const assets = new Set(files.assets.filter((file) => !unpublished.has(file) && !behindPages.has(file)));
    const servable = servableSettings(config.settings, features, domain);
    const written = withinBasePath(withFoundFavicon(servable.settings, assets), place.basePath);
    const lostRedirects: FoundWarning[] = [];
    const exists = (place: string) => pages.has(place) || assets.has(place) || assets.has(htmlFileOf(place));
    const found = {
        ...place,
        ...(files.gitBook?.readme !== undefined && { home: ownRouteOfFile(files.gitBook.readme) }),
        ...{ pages, assets },
    };
    const report = (problem: FoundWarning) => lostRedirects.push(problem);
    const redirects = withPageAddresses(usableRedirects(written.redirects ?? [], exists, report), found);
    const settings = { ...written, ...(written.redirects && { redirects }) };
    const targets: LinkTargets = {
        domain,
        ...found,
        forNobody: new Set([...forNobody, ...unpublished]),
        drafts: whole.drafts,
        exported: exported.areAll ? pages : new Set([...pages.keys()].filter(exported.has)),
        redirects: new Redirects(redirects),
        isRootKnown: config.navigation !== undefined,
    };
    // Pages outside of the navigation follow, sorted by address.
    const ordered = [...new Set([...listed, ...pages.keys()])].flatMap((route) => pages.get(route) ?? []);
    const shared = {
        features: { ...features, tryIt: whole.tryIt },
        settings,
        settingsFile: config.file,
        targets,
        styles: config.isFound ? publishedAlways(files, /\.css$/i) : [],
        skills: files.skills.filter((file) => !unpublished.has(file)),
        onlyWhenLinked: files.onlyWhenLinked,
        content: files.content,
        modelRoutes,
    };
    const all: AllPages = { pages, ordered, navigation, exported };
    const planFor = (readers: Readers) => planForReaders(readers, shared, all);
    const site = planFor(undefined);
    return {
        site,
        privatePlans: distinctReaders(readersOf).map(planFor),
        forNobody: planForNobody(site, all),
        texts: () => textsOf(config, ordered, exported),
        problems: [
            ...whole.problems,
            ...problemsOfDocuments,
            ...behindPages.values(),
            ...servable.problems,
            ...[...pageReaders].flatMap(
                ([route, readers]) => warningOfReaders(pages.get(route) as SitePage, readers, privatePages) ?? [],
            ),
            ...[...forNobody].flatMap((route) => pages.get(route) ?? []).flatMap(problemsOfPage),
            ...brokenSettingLinks(settings, navigation.links, targets),
            ...lostRedirects,
            ...problemsOfRedirects(redirects, targets),
        ],
        anchors: [...whole.anchors, ...anchorsOfRedirects(redirects, targets, config.placeOf)],
        contents: whole.contents,
        draftCount: whole.drafts.size,
        placeOf: config.placeOf,
        readAgain: whole.readAgain,
    };
}

function textsOf(
    { file: settingsFile, sources }: DocsConfig,
    pages: readonly SitePage[],
    { forNobody, readersOf }: ExportedPages,
): readonly SiteText[] {
    const settings = [...new Set([settingsFile, ...sources.keys()])].map((file) => ({ file, readers: undefined }));
    const written = pages.filter(({ route, hasSource }) => hasSource && !forNobody.has(route));
    return [...settings, ...written.map(({ route, file }) => ({ file, readers: readersOf.get(route) }))];
}

interface AllPages {
    readonly pages: ReadonlyMap<string, SitePage>;
    /** The pages in reading order. */
    readonly ordered: readonly SitePage[];
    readonly navigation: Navigation;
    readonly exported: ExportedPages;
}

/** @param shared what is the same for all readers */
function planForReaders(
    readers: Readers,
    shared: Omit<SitePlan, "readers" | "navigation" | "pages" | "byRoute" | "own">,
    { pages: all, ordered, navigation, exported: { has, readersOf } }: AllPages,
): SitePlan {
    const { settings, targets } = shared;
    const mayRead = (route: string) => !targets.forNobody.has(route) && mayAllRead(readers, readersOf.get(route));
    const isReadable = (route: string) => has(route) && mayRead(route);
    const isOwn = (route: string) => !targets.forNobody.has(route) && areSameReaders(readersOf.get(route), readers);
    const pages = ordered.filter(({ route }) => isReadable(route));
    const byRoute = pages.length === all.size ? all : byRouteOf(pages);
    const mayFollow = (href: string) => {
        const route = routeOfLink(href, targets);
        return route === undefined || mayRead(route);
    };
    // A redirect is for the readers of its target page.
    const redirects = settings.redirects?.filter(({ source }) => isOwn(routeOfLink(source, targets) ?? ""));
    return {
        ...shared,
        readers,
        navigation: filterNavigation(navigation, isReadable, mayFollow),
        settings: { ...withReadableLinks(settings, mayFollow), ...(redirects && { redirects }) },
        pages,
        byRoute,
        own: readersOf.size === 0 ? byRoute : new Set(pages.map(({ route }) => route).filter(isOwn)),
    };
}

function planForNobody(site: SitePlan, { ordered, navigation, exported: { forNobody } }: AllPages): SitePlan {
    const pages = ordered.filter(({ route }) => forNobody.has(route));
    return {
        ...site,
        navigation: filterNavigation(navigation, (route) => forNobody.has(route)),
        pages,
        byRoute: byRouteOf(pages),
    };
}

/** The sets of readers, without duplicates. */
function distinctReaders(readersOf: ReadonlyMap<string, readonly string[]>): (readonly string[])[] {
    return [...new Map([...readersOf.values()].map((groups) => [JSON.stringify(groups), groups])).values()];
}

const nothingForEverybody =
    "every page that the navigation lists is for certain readers (groups, public: false, or public: true elsewhere), so nothing is left to export: " +
    "make a page public with public: true, export the pages for these readers with --access, or publish all " +
    "pages to everybody with --publish-groups";

function byRouteOf(pages: readonly SitePage[]): ReadonlyMap<string, SitePage> {
    return new Map(pages.map((page) => [page.route, page]));
}

function withFoundFavicon(settings: SiteSettings, assets: ReadonlySet<string>): SiteSettings {
    const found = ["favicon.svg", "favicon.ico", "favicon.png"].find((file) => assets.has(file));
    return settings.favicon !== undefined || found === undefined
        ? settings
        : { ...settings, favicon: { light: `/${found}`, dark: `/${found}` } };
}

/** A local preview has no meaningful domain, so the site is named after its first page. */
export function siteNameOf({ settings, targets, pages }: SitePlan): string {
    const first = pages.find(({ route }) => route === homeRoute) ?? pages[0];
    // Templates have a blank name.
    return settings.name?.trim() || ((hasDomain(targets) ? undefined : first?.title) ?? targets.domain);
}
