import { type FoundWarning } from "../problems/warning-log.js";
import { proposeBuilder } from "../read/files/builder-presets.js";
import { defaultSummary } from "../read/files/gitbook-settings.js";
import { type SourceFiles } from "../read/files/source-files.js";
import { isDraft } from "../read/front-matter/front-matter.js";
import { type ExportFeatures } from "../read/settings/deployment.js";
import { type DocsConfig, readDocsConfig } from "../read/settings/docs-config.js";
import { draftWarning, isSnippet, omittedSecondPages, unusedSnippets, wantedPages } from "./left-out-pages.js";
import { madePage, makeModelPages, type ModelRoutes } from "./made-pages.js";
import { readNavigation } from "./navigation/navigation-from-config.js";
import { navigationFromFolder } from "./navigation/navigation-from-folder.js";
import { navigationFromSummary } from "./navigation/navigation-from-summary.js";
import { filterNavigation, type Navigation, routesOfNavigation } from "./navigation/navigation.js";
import { type PageReaders, readersOfPages } from "./page-readers.js";
import { type PageSubjects } from "./page-subjects.js";
import { operationOf, problemsOfPage, type SitePage } from "./site-page.js";
import { type AnchorLink } from "./links/anchor-check.js";
import { problemsOfGitBook, problemsOfSites, redirectsOfGitBook } from "./gitbook-site.js";
import { type PageWork, SitePages } from "./site-pages.js";
import { emptySite, problemsOfFiles } from "./site-problems.js";

/** The settings and all pages of a site, regardless of the pages' readers. */
export interface WholeSite {
    readonly config: DocsConfig;
    readonly navigation: Navigation;
    /** The links of the navigation to parts of pages. */
    readonly anchors: readonly AnchorLink[];
    /** The file with the site's table of contents, if the site has no settings. */
    readonly contents: string;
    /** The routes that the navigation lists. */
    readonly listed: readonly string[];
    readonly pages: ReadonlyMap<string, SitePage>;
    readonly modelRoutes: ModelRoutes;
    /** Unfinished pages that the site leaves out, by route. */
    readonly drafts: ReadonlyMap<string, SitePage>;
    /** The readers of private pages, by route. */
    readonly pageReaders: ReadonlyMap<string, PageReaders>;
    /** Whether documents are public, by their names in the navigation. */
    readonly isPublicDocument: ReadonlyMap<string, boolean>;
    /** The operations, models and channels of the site's documents. */
    readonly subjects: PageSubjects;
    /** Whether there are API pages that may have forms for sending requests. */
    readonly tryIt: boolean;
    readonly problems: readonly FoundWarning[];
    /** Reads a page again after its file has changed. @throws SiteError */
    readonly readAgain: (route: string, file: string) => SitePage;
}

interface WholeSiteOptions extends PageWork {
    readonly features: ExportFeatures;
    /** Whether pages show what only certain readers may see. */
    readonly showsAll: boolean;
    readonly showsDrafts: boolean;
    readonly basePath: string | undefined;
}

/** Reads the settings and all pages, including pages that the export omits. @throws SiteError */
export async function readWholeSite(files: SourceFiles, options: WholeSiteOptions): Promise<WholeSite> {
    const config = readDocsConfig(files.content);
    const { settings } = config;
    const isConfigured = config.navigation !== undefined;
    const gitBook = config.isFound ? undefined : files.gitBook;
    const contents = gitBook?.summary ?? defaultSummary;
    const summary = isConfigured ? undefined : navigationFromSummary(files, contents, options.onPage);
    const candidates = new Map(
        [...files.secondPages, ...files.pages].filter(
            ([, file]) => !(isConfigured && isSnippet(file)) && !(summary !== undefined && file === contents),
        ),
    );
    const tryIt = options.features.tryIt && settings.tryIt !== false;
    const { iconLibrary, apiDisplay, canonicalBase } = settings;
    const ofAddress = [options.basePath, canonicalBase];
    const keyOfRendering = JSON.stringify([options.fingerprint, iconLibrary, tryIt, apiDisplay, ofAddress]);
    const sitePages = new SitePages(files, candidates, {
        ...options,
        settings,
        keyOfRendering,
        labels: summary?.labels,
    });
    const { subjects } = sitePages;
    const written = isConfigured ? readNavigation(config, candidates, subjects) : summary;
    const wanted = wantedPages(candidates, written, files, isConfigured);
    const readAll = await sitePages.readPages(wanted);
    const drafts = new Map(readAll.filter(({ meta }) => isDraft(meta)).map((page) => [page.route, page]));
    const read = options.showsDrafts ? readAll : readAll.filter(({ route }) => !drafts.has(route));
    const generated = [...subjects.pages.all].map(([route, subject]) => madePage(route, subject, keyOfRendering));
    const pages = new Map([...read, ...generated].map((page) => [page.route, page]));
    const navigation = filterNavigation(
        written?.navigation ?? navigationFromFolder(read),
        (route) => pages.has(route) && pages.get(route)?.meta.hidden !== true,
    );
    const listed = routesOfNavigation(navigation);
    const pageCount = readAll.length + generated.length;
    const isOurs = config.isFound && pageCount > 0;
    const builder = isOurs ? undefined : proposeBuilder(files.content, files.hiddenSettings);
    const problems = [
        // A missing page is more serious than the problems of other pages.
        ...(written?.problems ?? []),
        ...(config.isFound ? [] : problemsOfSites(files)),
        ...(gitBook === undefined ? [] : problemsOfGitBook(gitBook, files, summary !== undefined)),
        ...problemsOfFiles(config, files, builder),
        ...omittedSecondPages(files, wanted),
        ...(isConfigured ? [] : unusedSnippets(candidates, readAll, files)),
        ...[...drafts.values()].flatMap(options.showsDrafts ? draftWarning : problemsOfPage),
        ...subjects.problems,
    ];
    if (listed.length === 0) {
        throw emptySite(config, pageCount, problems, builder);
    }
    const pageReaders = readersOfPages(pages, written?.readers);
    const models = await makeModelPages(pages, {
        display: apiDisplay ?? {},
        keyOfRendering,
        isPrivate: (route) => !options.showsAll && pageReaders.has(route),
        yieldToEventLoop: options.yieldToEventLoop,
    });
    models.made.forEach((page) => pages.set(page.route, page));
    const moved = gitBook === undefined ? [] : redirectsOfGitBook(gitBook, candidates);
    return {
        config: moved.length === 0 ? config : { ...config, settings: { ...settings, redirects: moved } },
        navigation,
        anchors: written?.anchors ?? [],
        contents,
        listed,
        pages,
        modelRoutes: models.routes,
        drafts: options.showsDrafts ? new Map() : drafts,
        pageReaders,
        isPublicDocument: written?.readers?.isPublicDocument ?? new Map(),
        subjects,
        tryIt: tryIt && [...generated, ...read].some((page) => operationOf(page)?.isWebhook === false),
        problems,
        readAgain: sitePages.readAgain,
    };
}
