import { posix } from "node:path";
import { markdownToHast } from "satteri";
import { bodyOf, frontMatterOf, readFrontMatter, type FrontMatter } from "../read/front-matter.js";
import { replaced, type FoundFiles } from "../read/found-files.js";
import { humanize } from "../read/navigation-from-folder.js";
import { SiteError } from "../site-error.js";
import { type KnownPage } from "./known-pages.js";
import { type SitePage } from "./site-page.js";
import { type PageCache } from "./page-cache.js";
import { textOf } from "../render/syntax-tree.js";
import { type ApiOperation } from "../read/api-document.js";
import { homeRoute } from "../read/routes.js";

export interface ReadPagesOptions {
    readonly content: FoundFiles;
    readonly cache: PageCache;
    /** Replaces `{{name}}` on pages. */
    readonly variables: Readonly<Record<string, string>>;
    /** The operation that a page's front matter names. */
    readonly operationOf: (file: string, meta: FrontMatter) => ApiOperation | undefined;
    /** Settings of the site that change what pages look like. */
    readonly settingsKey: string;
    readonly breathe: () => Promise<void>;
    readonly onPage: ((file: string | undefined) => void) | undefined;
}

/** Reads pages in the given order. */
export async function readPages(files: ReadonlyMap<string, string>, options: ReadPagesOptions): Promise<SitePage[]> {
    const { content, cache, onPage, breathe } = options;
    const pages: SitePage[] = [];
    cache.known.begin(basisOf(options));
    for (const [route, file] of files) {
        const stamp = content.stampOf(file);
        const known = cache.known.find(file, route, stamp);
        if (known === undefined) {
            onPage?.(file);
            const page = toPage(route, file, readSource(file, options), options);
            cache.known.keep(stamp, page);
            pages.push(page);
        } else {
            pages.push(new UnchangedPage(file, known, options));
        }
        await breathe();
    }
    options.onPage?.(undefined);
    return pages;
}

function readSource(file: string, { content, variables }: ReadPagesOptions): string {
    return withVariables(content.readText(file), variables);
}

/** A digest of everything besides its file that decides what a page is read as. */
function basisOf({ cache, settingsKey, variables }: ReadPagesOptions): string {
    return cache.keyOf("", "", JSON.stringify([settingsKey, variables]));
}

/** A page whose file is unchanged: it is read only where the page is written anew. */
class UnchangedPage implements SitePage {
    readonly route: string;
    readonly meta: FrontMatter;
    readonly title: string;
    readonly label: string;
    readonly hasSource: boolean;
    readonly cacheKey: string;
    readonly problems = [];
    readonly operation = undefined;
    readonly #options: ReadPagesOptions;
    #source: string | undefined;

    constructor(
        readonly file: string,
        { route, meta, title, hasSource, cacheKey }: KnownPage,
        options: ReadPagesOptions,
    ) {
        this.route = route;
        this.meta = meta;
        this.title = title;
        this.label = meta.sidebarTitle ?? title;
        this.hasSource = hasSource;
        this.cacheKey = cacheKey;
        this.#options = options;
    }

    get source(): string {
        if (this.#source === undefined) {
            this.#source = readSource(this.file, this.#options);
            if (cacheKeyOf(this.file, this.route, undefined, this.#source, this.#options) !== this.cacheKey) {
                throw new SiteError(this.file, undefined, replaced);
            }
        }
        return this.#source;
    }
}

/** The page of an operation that no file describes. */
export function apiPage(route: string, operation: ApiOperation, cache: PageCache, settingsKey: string): SitePage {
    const { title, file, page } = operation;
    const { meta: own, problems } = frontMatterOf(page.metadata);
    const meta: FrontMatter = {
        ...(operation.description !== undefined && { description: firstSentence(operation.description) }),
        ...(operation.isDeprecated && { deprecated: true }),
        ...own,
        title,
    };
    const cacheKey = cache.keyOf(file, route, `${settingsKey}\0${operation.digest}`);
    return {
        route,
        file,
        source: page.content,
        hasSource: false,
        meta,
        title,
        label: meta.sidebarTitle ?? title,
        problems,
        operation,
        cacheKey,
    };
}

function cacheKeyOf(
    file: string,
    route: string,
    operation: ApiOperation | undefined,
    source: string,
    { cache, settingsKey }: ReadPagesOptions,
): string {
    return cache.keyOf(file, route, `${settingsKey}\0${operation?.digest ?? ""}\0${source}`);
}

function toPage(route: string, file: string, source: string, options: ReadPagesOptions): SitePage {
    const { meta, problems } = readFrontMatter(source);
    const operation = options.operationOf(file, meta);
    const cacheKey = cacheKeyOf(file, route, operation, source, options);
    const title = meta.title ?? operation?.title ?? headingOf(source) ?? nameOf(route, file);
    return {
        route,
        file,
        source,
        hasSource: source !== "",
        meta,
        title,
        label: meta.sidebarTitle ?? title,
        problems,
        operation,
        cacheKey,
    };
}

/** Unknown names stay as they are: in code, `{{name}}` belongs to another template language. */
function withVariables(text: string, variables: Readonly<Record<string, string>>): string {
    return text.includes("{{")
        ? text.replace(/\{\{ *([\w-]+) *\}\}/g, (whole, name: string) =>
              Object.hasOwn(variables, name) ? (variables[name] as string) : whole,
          )
        : text;
}

function firstSentence(text: string): string {
    const [line] = text.trim().split(/\n/, 1);
    return (
        /^.{1,200}?(?<!\b(?:e\.g|i\.e|etc|vs))[.!?](?=\s|$)/.exec(line ?? "")?.[0] ?? (line ?? "").slice(0, 200)
    ).replace(/[`*_[\]]/g, "");
}

/** The text of the first-level heading with which a page begins. */
function headingOf(source: string): string | undefined {
    const line = /^\s*(# [^\n]+)/.exec(bodyOf(source))?.[1];
    if (line === undefined) {
        return undefined;
    }
    const isPlain = /^# [A-Za-z\d ,-]+$/.test(line);
    const text = (isPlain ? line.slice(2) : textOf(markdownToHast(line, { position: false }))).trim();
    return text === "" ? undefined : text;
}

function nameOf(route: string, file: string): string {
    return route === homeRoute ? "Home" : humanize(posix.basename(routeName(route, file)));
}

function routeName(route: string, file: string): string {
    return /(^|\/)(index|readme)\.mdx?$/i.test(file) ? route : file.replace(/\.mdx?$/i, "");
}
