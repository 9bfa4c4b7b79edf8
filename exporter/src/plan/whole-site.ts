import { posix } from "node:path";
import { type FoundWarning, type SiteWarning } from "../problems/warnings.js";
import { proposeBuilder } from "../read/files/builder-presets.js";
import { warningsOfFiles } from "../read/files/file-warnings.js";
import { maxPageBytes } from "../read/files/found-files.js";
import { isReadme, routeOfFile } from "../read/files/routes.js";
import { type SourceFiles } from "../read/files/source-files.js";
import { isDraft, lineOfKey } from "../read/front-matter/front-matter.js";
import { type ExportFeatures } from "../read/settings/deployment.js";
import { type DocsConfig } from "../read/settings/docs-config.js";
import { readNavigation } from "./navigation/navigation-from-config.js";
import { navigationFromFolder } from "./navigation/navigation-from-folder.js";
import { navigationFromSummary, summaryFile } from "./navigation/navigation-from-summary.js";
import {
    type NavigationReaders,
    filterNavigation,
    routesOfNavigation,
    type Navigation,
    type WrittenNavigation,
} from "./navigation/navigation.js";
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

/**
 * The candidates that the navigation lists, and all others except second pages, snippets and files for contributors.
 */
function wantedPages(
    candidates: ReadonlyMap<string, string>,
    written: WrittenNavigation | undefined,
    { secondPages }: SourceFiles,
    isConfigured: boolean,
): ReadonlyMap<string, string> {
    const named = new Set(written && routesOfNavigation(written.navigation));
    const isWanted = ([route, file]: [string, string]) =>
        named.has(route) ||
        (secondPages.get(route) !== file && !isSnippet(file) && !(isConfigured && isForAuthors(file)));
    return new Map([...candidates].filter(isWanted));
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

/** Files whose routes are taken by other files. A README is left out without a warning. */
function omittedSecondPages({ secondPages, pages }: SourceFiles, wanted: ReadonlyMap<string, string>): SiteWarning[] {
    return [...secondPages]
        .filter(([route, file]) => !wanted.has(route) && !isReadme(file))
        .map(([, file]) => {
            const first = routeOfFile(file);
            return navigationWarning(
                file,
                `${pages.get(first)} is already the page ${first}, so this file is left out`,
            );
        });
}

/**
 * Snippets that no file of the site names and that export nothing: without settings, their author may expect pages.
 */
function unusedSnippets(
    candidates: ReadonlyMap<string, string>,
    pages: readonly SitePage[],
    { content }: SourceFiles,
): SiteWarning[] {
    const published = new Set(pages.map(({ file }) => file));
    const snippets = [...new Set(candidates.values())]
        .filter((file) => isSnippet(file) && !published.has(file) && content.bytesOf(file) <= maxPageBytes)
        .map((file) => ({ file, text: content.readText(file) }));
    if (snippets.length === 0) {
        return [];
    }
    const used = new Set(snippets.flatMap(({ text }) => quotedPages(text)));
    // One page at a time, because the text of a large site does not fit into memory.
    pages.forEach(({ source }) => quotedPages(source).forEach((name) => used.add(name)));
    const reason =
        "files in snippets/ do not become pages, and no page imports this one: move it to another folder to publish it";
    return snippets
        .filter(({ file, text }) => !used.has(posix.basename(file)) && !/^export\s/m.test(text))
        .map(({ file }) => navigationWarning(file, reason));
}

/** The names of page files that a text has in quotes, without their folders. */
function quotedPages(text: string): string[] {
    return Array.from(text.matchAll(/["']([^"'\n]+\.mdx?)["']/g), ([, name = ""]) => posix.basename(name));
}

function navigationWarning(file: string, reason: string): SiteWarning {
    return { kind: "navigation", file, line: undefined, reason };
}

function draftWarning({ file, source, meta: { draft } }: SitePage): SiteWarning[] {
    const [key, value] = draft === true ? ["draft", true] : ["published", false];
    const reason = `the page is a draft (${key}: ${value}): exports leave it out`;
    return [{ kind: "access", file, line: lineOfKey(source, key), reason }];
}

/** Snippets that pages import; they are not separate pages. */
function isSnippet(file: string): boolean {
    return file.startsWith("snippets/");
}

/**
 * Files for a repository's contributors, unless the navigation lists them: Markdown files with common names such as
 * CONTRIBUTING, and files with names in capitals that are for agents or about security. A changelog.mdx is a page.
 */
function isForAuthors(file: string): boolean {
    return (
        isReadme(file) ||
        /(?:^|\/)(?:contributing|license|changelog|code_of_conduct)\.md$/i.test(file) ||
        /(?:^|\/)(?:SECURITY|AGENTS|CLAUDE)\.md$/.test(file)
    );
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
