import { posix } from "node:path";
import { type FoundWarning, type SiteWarning } from "../problems/warning-log.js";
import { proposeBuilder } from "../read/files/builder-presets.js";
import { warningsOfFiles } from "../read/files/file-warnings.js";
import { type SourceFiles } from "../read/files/source-files.js";
import { isDraft } from "../read/front-matter/front-matter.js";
import { type ExportFeatures } from "../read/settings/deployment.js";
import { type DocsConfig } from "../read/settings/docs-config.js";
import {
    draftWarning,
    isSnippet,
    navigationWarning,
    omittedSecondPages,
    unusedSnippets,
    wantedPages,
} from "./left-out-pages.js";
import { readNavigation } from "./navigation/navigation-from-config.js";
import { navigationFromFolder } from "./navigation/navigation-from-folder.js";
import { navigationFromSummary, summaryFile } from "./navigation/navigation-from-summary.js";
import { type NavigationReaders, filterNavigation, type Navigation } from "./navigation/navigation.js";
import { PageSubjects } from "./page-subjects.js";
import { operationOf, problemsOfPage, type SitePage } from "./site-page.js";
import { encodingProblem, madePage, type PageWork, readPage, readPages, type ReadPagesOptions } from "./site-pages.js";

/** All pages of a site, regardless of their readers. */
export interface WholeSite {
    readonly navigation: Navigation;
    readonly pages: ReadonlyMap<string, SitePage>;
    /** Unfinished pages that the site leaves out, by route. */
    readonly drafts: ReadonlyMap<string, SitePage>;
    readonly readers: NavigationReaders | undefined;
    /** The files of API documents with nodes for certain readers only, which pages omit. */
    readonly privateDocuments: ReadonlySet<string>;
    /** The file of a document that a setting names, or that a page names by a relative path. */
    readonly fileOfDocument: (source: string, page?: string) => string | undefined;
    /** A digest of the code and the settings that all pages depend on. */
    readonly keyOfRendering: string;
    /** Whether there are API pages that may have forms for sending requests. */
    readonly tryIt: boolean;
    readonly problems: readonly FoundWarning[];
    /** Reads a page again after its file has changed. @throws SiteError */
    readonly readPage: (route: string, file: string) => SitePage;
}

/** @param options.showsAll whether API pages show what only certain readers may see @throws SiteError */
export async function readWholeSite(
    config: DocsConfig,
    files: SourceFiles,
    options: PageWork & {
        features: ExportFeatures;
        showsAll: boolean;
        showsDrafts: boolean;
        basePath: string | undefined;
    },
): Promise<WholeSite> {
    const { settings } = config;
    const isConfigured = config.navigation !== undefined;
    const summary = isConfigured ? undefined : navigationFromSummary(files, options.onPage);
    const contents = summary && summaryFile;
    const candidates = new Map(
        [...files.secondPages, ...files.pages].filter(
            ([, file]) => !(isConfigured && isSnippet(file)) && file !== contents,
        ),
    );
    const subjects = new PageSubjects(files, candidates, settings, options);
    const written = isConfigured ? readNavigation(config, candidates, subjects) : summary;
    const wanted = wantedPages(candidates, written, files, isConfigured);
    const tryIt = options.features.tryIt && settings.tryIt !== false;
    const { iconLibrary, apiDisplay, canonicalBase } = settings;
    const ofAddress = [options.basePath, canonicalBase];
    const keyOfRendering = JSON.stringify([options.fingerprint, iconLibrary, tryIt, apiDisplay, ofAddress]);
    const reading: ReadPagesOptions = {
        ...options,
        content: files.content,
        variables: settings.variables ?? {},
        subjectOf: (file, meta) => subjects.of(file, meta),
        keyOfRendering,
    };
    const readAll = await readPages(wanted, reading);
    const drafts = new Map(readAll.filter(({ meta }) => isDraft(meta)).map((page) => [page.route, page]));
    const read = options.showsDrafts ? readAll : readAll.filter(({ route }) => !drafts.has(route));
    const generated = [...subjects.pages.all].map(([route, subject]) => madePage(route, subject, keyOfRendering));
    const pages = new Map([...read, ...generated].map((page) => [page.route, page]));
    const navigation = written?.navigation ?? navigationFromFolder(read);
    return {
        navigation: filterNavigation(navigation, (route) => pages.has(route) && pages.get(route)?.meta.hidden !== true),
        pages,
        drafts: options.showsDrafts ? new Map() : drafts,
        readers: written?.readers,
        privateDocuments: subjects.privateDocuments,
        keyOfRendering,
        fileOfDocument: (source, page) => subjects.api.fileOf(source, page),
        tryIt: tryIt && generated.concat(read).some((page) => operationOf(page)?.isWebhook === false),
        problems: [
            // A missing page is more serious than the problems of other pages.
            ...(written?.problems ?? []),
            ...problemsOfFiles(config, files),
            ...omittedSecondPages(files, wanted),
            ...(isConfigured ? [] : unusedSnippets(candidates, readAll, files)),
            ...[...drafts.values()].flatMap(options.showsDrafts ? draftWarning : problemsOfPage),
            ...subjects.problems,
        ],
        readPage: (route, file) => readPage(route, file, reading),
    };
}

function problemsOfFiles(config: DocsConfig, files: SourceFiles): FoundWarning[] {
    const isConfigured = config.navigation !== undefined;
    const [below] = isConfigured ? [] : files.settingsBelow;
    const folder = posix.dirname(below ?? "");
    const ownFolder = `settings are read in the site's own folder only: if ${folder} is the site, export that folder`;
    const other = config.isFound ? undefined : proposeBuilder(files.content, files.hiddenSettings);
    return [
        ...files.problems.map(({ file, reason }) => navigationWarning(file, reason)),
        ...warningsOfFiles(files),
        ...[...config.sources].flatMap(([file, text]) => {
            const problem = encodingProblem(file, text, files.content);
            return problem === undefined ? [] : [{ kind: "settings" as const, file, ...problem }];
        }),
        ...config.problems,
        ...(config.isFound ? scriptsOf(files) : []),
        ...(below === undefined ? [] : [navigationWarning(below, ownFolder)]),
        ...(other === undefined ? [] : [{ kind: "settings" as const, line: undefined, ...other }]),
    ];
}

/** Returns the assets whose names match, except assets that are published only if a page links to them. */
export function publishedAlways({ assets, onlyWhenLinked }: SourceFiles, name: RegExp): string[] {
    return assets.filter((file) => name.test(file) && !onlyWhenLinked.has(file));
}

/** Scripts that the platform runs on every page. Scripts with exports are for pages to import. */
function scriptsOf(files: SourceFiles): SiteWarning[] {
    return publishedAlways(files, /\.js$/i)
        .filter((file) => !/^\s*(?:export|import)\b/m.test(files.content.readText(file)))
        .map((file) => ({
            kind: "settings",
            file,
            line: undefined,
            reason: "this script is left out: an export does not run a site's scripts",
        }));
}
