import {
    type AsyncChannel,
    type AsyncDocument,
    channelNamed,
    readAsyncDocument,
} from "../api/asyncapi/async-document.js";
import {
    type ApiDocument,
    type ApiOperation,
    modelNamed,
    operationNamed,
    readApiDocument,
} from "../api/openapi/api-document.js";
import { GeneratedPages, WrittenPages } from "./navigation/generated-pages.js";
import { SiteDocuments } from "../api/documents/site-documents.js";
import { posix } from "node:path";
import { type DocsConfig } from "../read/settings/docs-config.js";
import { type FrontMatter, isDraft, lineOfKey, readFrontMatter } from "../read/front-matter/front-matter.js";
import { filterNavigation, routesOfNavigation, type Navigation } from "./navigation/navigation.js";
import { readNavigation } from "./navigation/navigation-from-config.js";
import { type NavigationReaders } from "./navigation/navigation-readers.js";
import { navigationFromFolder } from "./navigation/navigation-from-folder.js";
import { navigationFromSummary, summaryFile } from "./navigation/navigation-from-summary.js";
import { proposeBuilder } from "../read/files/builder-presets.js";
import { isReadme, routeOfFile } from "../read/files/routes.js";
import { type SourceFiles } from "../read/files/source-files.js";
import { type FoundWarning, type SiteWarning } from "../problems/warnings.js";
import { type ExportFeatures } from "../read/settings/deployment.js";
import { operationOf, type SitePage } from "./site-page.js";
import { madePage, type PageWork, readPage, readPages, type ReadPagesOptions } from "./site-pages.js";

/** All pages of a site, regardless of their readers. */
export interface WholeSite {
    readonly navigation: Navigation;
    readonly pages: ReadonlyMap<string, SitePage>;
    /** Unfinished pages that the site leaves out, by route. */
    readonly drafts: ReadonlyMap<string, SitePage>;
    readonly readers: NavigationReaders | undefined;
    /** The files of API documents with parts for certain readers only, which pages omit. */
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

/** @param options.showsAll whether API pages show parts that only certain readers may see @throws SiteError */
export async function readWholeSite(
    config: DocsConfig,
    files: SourceFiles,
    options: PageWork &
        Pick<ReadPagesOptions, "knownFiles"> & {
            features: ExportFeatures;
            showsAll: boolean;
            showsDrafts: boolean;
        },
): Promise<WholeSite> {
    const problems: FoundWarning[] = [];
    const report = (file: string, reason: string) =>
        void problems.push({ kind: "navigation", file, line: undefined, reason });
    files.problems.forEach(({ file, reason }) => report(file, reason));
    problems.push(...config.problems);
    if (config.isFound) {
        problems.push(...scriptsOf(files));
    }
    const isConfigured = config.navigation !== undefined;
    const { secondPages } = files;
    const [below] = isConfigured ? [] : files.settingsBelow;
    if (below !== undefined) {
        const folder = posix.dirname(below);
        report(below, `settings are read in the site's own folder only: if ${folder} is the site, export that folder`);
    }
    const other = config.isFound ? undefined : proposeBuilder([...files.content.names(), ...files.hiddenSettings]);
    if (other !== undefined) {
        problems.push({ kind: "settings", line: undefined, ...other });
    }
    const summary = isConfigured ? undefined : navigationFromSummary(files, options.onPage);
    const contents = summary && summaryFile;
    const candidates = new Map(
        [...secondPages, ...files.pages].filter(([, file]) => !(isConfigured && isSnippet(file)) && file !== contents),
    );
    const documents = { content: files.content, files: new Set(files.assets), showsAll: options.showsAll };
    const api = new SiteDocuments<ApiOperation, ApiDocument>("OpenAPI", readApiDocument, documents);
    const channels = new SiteDocuments<AsyncChannel, AsyncDocument>("AsyncAPI", readAsyncDocument, documents);
    const described = new WrittenPages<ApiOperation | AsyncChannel>(function* () {
        for (const [route, file] of candidates) {
            const known = options.knownFiles?.pageOf(file, route);
            const { meta } = known ?? readFrontMatter(files.content.readText(file));
            if (meta.hidden !== true && !isDraft(meta)) {
                yield [route, (other) => subjectIn(other, meta, (source) => api.fileOf(source, file))];
            }
        }
    });
    const made = new GeneratedPages<ApiOperation | AsyncChannel>(candidates, described);
    api.addSources(config.settings.openapi ?? []);
    channels.addSources(config.settings.asyncapi ?? []);
    const written = isConfigured ? readNavigation(config, candidates, { api, channels, pages: made }) : summary;
    // Puts the navigation's problems first, because a missing page is more serious than the problems of other pages.
    problems.unshift(...(written?.problems ?? []));
    const named = new Set(written && routesOfNavigation(written.navigation));
    const isWanted = ([route, file]: [string, string]) =>
        named.has(route) || (secondPages.get(route) !== file && !(isConfigured && isForAuthors(file)));
    const wanted = new Map([...candidates].filter(isWanted));
    for (const [route, file] of secondPages) {
        if (!wanted.has(route) && !isReadme(file)) {
            const first = routeOfFile(file);
            report(file, `${files.pages.get(first)} is already the page ${first}, so this file is left out`);
        }
    }
    const { iconLibrary } = config.settings;
    const tryIt = options.features.tryIt && config.settings.tryIt !== false;
    const keyOfRendering = JSON.stringify([options.fingerprint, iconLibrary, tryIt, config.settings.apiDisplay]);
    const reading: ReadPagesOptions = {
        ...options,
        content: files.content,
        variables: config.settings.variables ?? {},
        subjectOf: (file, { openapi, openapiSchema: model, asyncapi }) => {
            const notFound = (key: string, documents: string, what: string) => (): SiteWarning => {
                const reason = `no ${documents} document of the site has ${what}: put its document into the site, or correct the name`;
                return { kind: "openapi", file, line: lineOfKey(files.content.readText(file), key), reason };
            };
            const at = { page: file, around: [] };
            const ofModel = notFound("openapi-schema", "OpenAPI", `the model "${model}"`);
            const ofChannel = notFound("asyncapi", "AsyncAPI", `the channel "${asyncapi}"`);
            return (
                (openapi && api.find(operationNamed(openapi), at, notFound("openapi", "OpenAPI", `"${openapi}"`))) ||
                (model && api.find(modelNamed(model), at, ofModel)) ||
                (asyncapi && channels.find(channelNamed(asyncapi), at, ofChannel)) ||
                undefined
            );
        },
        keyOfRendering,
    };
    const readAll = await readPages(wanted, reading);
    const drafts = new Map(readAll.filter(({ meta }) => isDraft(meta)).map((page) => [page.route, page]));
    const read = options.showsDrafts ? readAll : readAll.filter(({ route }) => !drafts.has(route));
    if (options.showsDrafts) {
        problems.push(...[...drafts.values()].map(draftWarning));
    }
    const ofDocuments = [...made.all].map(([route, subject]) => madePage(route, subject, keyOfRendering));
    const pages = new Map([...read, ...ofDocuments].map((page) => [page.route, page]));
    problems.push(...api.problems, ...channels.problems);
    const navigation = written?.navigation ?? navigationFromFolder(read);
    return {
        navigation: filterNavigation(navigation, (route) => pages.has(route) && pages.get(route)?.meta.hidden !== true),
        pages,
        drafts: options.showsDrafts ? new Map() : drafts,
        readers: written?.readers,
        privateDocuments: new Set([...api.privateDocuments, ...channels.privateDocuments]),
        keyOfRendering,
        fileOfDocument: (source, page) => api.fileOf(source, page),
        tryIt: tryIt && ofDocuments.concat(read).some((page) => operationOf(page)?.isWebhook === false),
        problems,
        readPage: (route, file) => readPage(route, file, reading),
    };
}

/** The part that a page names, in the document of another part. */
function subjectIn(
    other: ApiOperation | AsyncChannel,
    { openapi, asyncapi }: FrontMatter,
    fileOf: (source: string) => string | undefined,
): ApiOperation | AsyncChannel | undefined {
    const isIn = (source: string | undefined) => source === undefined || fileOf(source) === other.file;
    if (other.kind === "operation") {
        const { source, look } = operationNamed(openapi ?? "");
        return isIn(source) ? look(other.document) : undefined;
    }
    const { source, look } = channelNamed(asyncapi ?? "");
    return isIn(source) ? look(other.document) : undefined;
}

function draftWarning({ file, source, meta: { draft } }: SitePage): SiteWarning {
    const [key, value] = draft === true ? ["draft", true] : ["published", false];
    const reason = `the page is a draft (${key}: ${value}): exports leave it out`;
    return { kind: "access", file, line: lineOfKey(source, key), reason };
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
