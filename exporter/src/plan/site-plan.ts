import { type Readers, areSameReaders, mayAllRead, problemOfGroups } from "../read/readers/readers.js";
import { type DeploymentOptions, type ExportFeatures, featuresOf } from "../read/settings/deployment.js";
import { type LinkTargets, type Routes, routeOfLink, withoutPrefix } from "./links/link-resolver.js";
import { placeOfSite, type SitePlace, withinBasePath } from "./base-path.js";
import { SiteError } from "../problems/site-error.js";
import { type FoundWarning, type SettingPlace, type SiteWarning, type SourcePlace } from "../problems/warnings.js";
import { type PageWork } from "./site-pages.js";
import { readDocsConfig } from "../read/settings/docs-config.js";
import { type SiteSettings, type FrameSettings } from "../read/settings/site-settings.js";
import { type PageMenu } from "../read/settings/page-menu.js";
import { type Logo } from "../read/settings/setting-values.js";
import { type FoundFiles } from "../read/files/found-files.js";
import { filterNavigation, routesOfNavigation, type Navigation } from "./navigation/navigation.js";
import { Redirects } from "./links/redirects.js";
import { emptySite } from "./empty-site.js";
import { homeRoute } from "../read/files/routes.js";
import { servableSettings } from "./servable-settings.js";
import { brokenSettingLinks } from "./navigation/setting-links.js";
import { type KnownFiles } from "./known-files.js";
import { type KnownModels } from "./known-models.js";
import { makeModelPages, type ModelRoutes } from "./model-pages.js";
import {
    exportedReaders,
    distinctReaders,
    readersOfPages,
    warningOfReaders,
    type PrivatePages,
} from "./page-readers.js";
import { type SitePage } from "./site-page.js";
import { type SiteSources } from "./site-sources.js";
import { revealingFiles } from "./revealing-files.js";
import { publishedAlways, readWholeSite } from "./whole-site.js";

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
    /** The number of unfinished pages that the export leaves out. */
    readonly draftCount: number;
    /** Finds a setting in the file that contains it. */
    readonly placeOf: (setting: SettingPlace) => SourcePlace;
    /** Reads a page again after its file has changed. @throws SiteError */
    readonly readPage: (route: string, file: string) => SitePage;
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
export async function planSite(
    options: SiteOptions,
    work: PageWork & { readonly knownModels?: KnownModels | undefined; readonly knownFiles?: KnownFiles | undefined },
    { files }: SiteSources,
): Promise<ExportPlan> {
    const { domain, basePath, privatePages = "leave-out", showsDrafts = false } = options;
    const config = readDocsConfig(files.content);
    const features = featuresOf(options);
    const whole = await readWholeSite(config, files, {
        ...work,
        features,
        showsAll: privatePages === "publish",
        showsDrafts,
    });
    const listed = routesOfNavigation(whole.navigation);
    if (listed.length === 0) {
        throw emptySite(config, whole.pages.size + whole.drafts.size, whole.problems, [
            ...files.content.names(),
            ...files.hiddenSettings,
        ]);
    }
    const pageReaders = readersOfPages(whole.pages, whole.readers);
    const models = await makeModelPages(whole.pages, {
        display: config.settings.apiDisplay ?? {},
        keyOfRendering: whole.keyOfRendering,
        isPrivate: (route) => privatePages !== "publish" && pageReaders.has(route),
        known: work.knownModels,
        yieldToEventLoop: work.yieldToEventLoop,
    });
    const ofModels = models.made.map((page) => [page.route, page] as const);
    const pages = ofModels.length === 0 ? whole.pages : new Map([...whole.pages, ...ofModels]);
    const { forNobody, readersOf } = exportedReaders(pageReaders, privatePages);
    for (const [route, groups] of readersOf) {
        const problem = problemOfGroups(groups);
        if (problem !== undefined) {
            throw new SiteError(pages.get(route)?.file ?? route, pageReaders.get(route)?.line, problem);
        }
    }
    const place = placeOfSite({ domain, basePath }, config.settings.canonicalBase);
    const chosen = choosePaths(pages, forNobody, options.paths, place);
    const isExported = (route: string) => chosen?.has(route) !== false && !forNobody.has(route);
    if (chosen === undefined && !listed.some(isExported)) {
        throw new SiteError(config.file, undefined, nothingForEverybody);
    }
    const areAllExported = chosen === undefined && forNobody.size === 0;
    const unpublished =
        privatePages === "publish" ? new Set<string>() : revealingFiles(whole, pageReaders, { config, files, domain });
    const assets = new Set(files.assets.filter((file) => !unpublished.has(file)));
    const servable = servableSettings(config.settings, features, domain);
    const settings = withinBasePath(withFoundFavicon(servable.settings, assets), place.basePath);
    const targets: LinkTargets = {
        domain,
        ...place,
        pages,
        assets,
        forNobody: new Set([...forNobody, ...unpublished]),
        drafts: whole.drafts,
        exported: areAllExported ? pages : new Set([...pages.keys()].filter(isExported)),
        redirects: new Redirects(settings.redirects ?? []),
        isRootKnown: config.navigation !== undefined,
    };
    const styles = config.isFound ? publishedAlways(files, /\.css$/i) : [];
    // Pages outside of the navigation follow, sorted by address.
    const ordered = [...new Set([...listed, ...pages.keys()])].flatMap((route) => pages.get(route) ?? []);
    const planFor = (readers: Readers): SitePlan => {
        const mayRead = (route: string) => !targets.forNobody.has(route) && mayAllRead(readers, readersOf.get(route));
        const isReadable = (route: string) => isExported(route) && mayRead(route);
        const isOwn = (route: string) => !targets.forNobody.has(route) && areSameReaders(readersOf.get(route), readers);
        const readable = ordered.filter(({ route }) => isReadable(route));
        const byRoute = readable.length === pages.size ? pages : byRouteOf(readable);
        const mayFollow = (href: string) => {
            const route = routeOfLink(href, targets);
            return route === undefined || mayRead(route);
        };
        // A redirect is for the readers of its target page.
        const redirects = settings.redirects?.filter(({ source }) => isOwn(routeOfLink(source, targets) ?? ""));
        return {
            readers,
            features: { ...features, tryIt: whole.tryIt },
            navigation: filterNavigation(whole.navigation, isReadable, mayFollow),
            settingsFile: config.file,
            settings: { ...withReadableLinks(settings, mayFollow), ...(redirects && { redirects }) },
            pages: readable,
            byRoute,
            own: readersOf.size === 0 ? byRoute : new Set(readable.map(({ route }) => route).filter(isOwn)),
            styles,
            skills: files.skills,
            onlyWhenLinked: files.onlyWhenLinked,
            content: files.content,
            targets,
            modelRoutes: models.routes,
        };
    };
    const site = planFor(undefined);
    const omitted = forNobody.size === 0 ? [] : ordered.filter(({ route }) => forNobody.has(route));
    return {
        site,
        privatePlans: distinctReaders(readersOf).map(planFor),
        forNobody: {
            ...site,
            navigation: filterNavigation(whole.navigation, (route) => forNobody.has(route)),
            pages: omitted,
            byRoute: byRouteOf(omitted),
        },
        texts: () => [
            ...[...new Set([config.file, ...config.sources.keys()])].map((file) => ({ file, readers: undefined })),
            ...ordered
                .filter(({ route, hasSource }) => hasSource && !forNobody.has(route))
                .map(({ route, file }) => ({ file, readers: readersOf.get(route) })),
        ],
        problems: [
            ...whole.problems,
            ...servable.problems,
            ...[...pageReaders].flatMap(
                ([route, readers]) => warningOfReaders(pages.get(route) as SitePage, readers, privatePages) ?? [],
            ),
            ...[...forNobody].flatMap((route) => problemsOfPage(pages.get(route))),
            ...brokenSettingLinks(settings, whole.navigation.links, targets),
        ],
        draftCount: whole.drafts.size,
        placeOf: config.placeOf,
        readPage: whole.readPage,
    };
}

function byRouteOf(pages: readonly SitePage[]): ReadonlyMap<string, SitePage> {
    return new Map(pages.map((page) => [page.route, page]));
}

/** The front matter problems of one page; problems of other pages are reported when the pages are written. */
function problemsOfPage(page: SitePage | undefined): SiteWarning[] {
    return (page?.problems ?? []).map((problem) => ({ kind: "syntax", file: page?.file ?? "", ...problem }));
}

const nothingForEverybody =
    "every page that the navigation lists is for certain readers (groups, public: false, or public: true elsewhere), so nothing is left to export: " +
    "open a page with public: true, export them for these readers with --access, or publish all of them to everybody with --publish-groups";

function choosePaths(
    pages: ReadonlyMap<string, SitePage>,
    forNobody: ReadonlySet<string>,
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
                .map(
                    (each) =>
                        each
                            .normalize("NFC")
                            .replace(/^\/+|\/+$/g, "")
                            .replace(/\.(?:html|mdx?)$/i, "") || homeRoute,
                )
                .find((each) => pages.has(each));
            if (route === undefined || forNobody.has(route)) {
                const reason =
                    route === undefined
                        ? "but the site has none at this address; a path is a page's address, such as guides/start"
                        : "which is for certain readers and so left out; --access exports it for them, --publish-groups for everybody";
                throw new SiteError(path, undefined, `paths asks for this page, ${reason}`);
            }
            return route;
        }),
    );
}

function withFoundFavicon(settings: SiteSettings, assets: ReadonlySet<string>): SiteSettings {
    const found = ["favicon.svg", "favicon.ico", "favicon.png"].find((file) => assets.has(file));
    return settings.favicon !== undefined || found === undefined
        ? settings
        : { ...settings, favicon: { light: `/${found}`, dark: `/${found}` } };
}

/** Removes links from the settings if readers may not open their targets. */
function withReadableLinks(settings: SiteSettings, isReadable: (href: string) => boolean): SiteSettings {
    const ofLanguages = Object.entries(settings.languages ?? {}).map(
        ([code, frame]) => [code, readableFrame(frame, isReadable)] as const,
    );
    const { logo, pageMenu } = settings;
    return {
        ...readableFrame(settings, isReadable),
        ...(pageMenu && { pageMenu: readableMenu(pageMenu, isReadable) }),
        ...(logo && { logo: readableLogo(logo, isReadable) }),
        languages: Object.fromEntries(ofLanguages),
    };
}

/** A logo with a link to an excluded page links to the home page instead. */
function readableLogo(logo: Logo, isReadable: (href: string) => boolean): Logo {
    const { href, ...pictures } = logo;
    return href === undefined || isReadable(href) ? logo : pictures;
}

function readableMenu(menu: PageMenu, isReadable: (href: string) => boolean): PageMenu {
    return {
        ...menu,
        options: (menu.options ?? []).filter((option) => typeof option === "string" || isReadable(option.href)),
    };
}

function readableFrame<Frame extends FrameSettings>(frame: Frame, isReadable: (href: string) => boolean): Frame {
    const { navbar, footer } = frame;
    const only = <T extends { readonly href: string }>(links: readonly T[] = []) =>
        links.filter(({ href }) => isReadable(href));
    return {
        ...frame,
        ...(navbar && { navbar: { links: only(navbar.links), primary: only(navbar.primary) } }),
        ...(footer && {
            footer: {
                links: (footer.links ?? [])
                    .map(({ title, items }) => ({ title, items: only(items), wasEmpty: items.length === 0 }))
                    .flatMap(({ wasEmpty, ...column }) => (wasEmpty || column.items.length > 0 ? [column] : [])),
                socials: only(footer.socials),
            },
        }),
    };
}

/** A local preview has no meaningful domain, so the site is named after its first page. */
export function siteNameOf({ settings, targets, pages }: SitePlan): string {
    const first = pages.find(({ route }) => route === homeRoute) ?? pages[0];
    return settings.name ?? (targets.domain === "localhost" ? first?.title : undefined) ?? targets.domain;
}
