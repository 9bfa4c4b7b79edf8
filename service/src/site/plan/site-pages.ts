import { posix } from "node:path";
import { markdownToHast } from "satteri";
import { bodyOf, readFrontMatter, type FrontMatter, type FrontMatterProblem } from "../read/front-matter.js";
import { type FoundFiles } from "../read/found-files.js";
import { humanize } from "../read/navigation-from-folder.js";
import { type PageCache } from "./page-cache.js";
import { textOf } from "../render/syntax-tree.js";
import { type ApiOperation } from "../read/api-document.js";
import { homeRoute } from "../read/routes.js";

/** A page as it was read, before it is rendered. */
export interface SitePage {
    readonly route: string;
    readonly file: string;
    readonly source: string;
    readonly meta: FrontMatter;
    readonly title: string;
    /** The page's title in the navigation. */
    readonly label: string;
    /** What is wrong with the front matter. */
    readonly problems: readonly FrontMatterProblem[];
    /** The operation that the page is about. */
    readonly operation: ApiOperation | undefined;
    /** A digest of everything that the page depends on, except its imports and the targets of its links. */
    readonly cacheKey: string;
}

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
    const pages: SitePage[] = [];
    for (const [route, file] of files) {
        options.onPage?.(file);
        const text = options.content.readText(file);
        pages.push(toPage(route, file, withVariables(text, options.variables), options));
        await options.breathe();
    }
    options.onPage?.(undefined);
    return pages;
}

/** The page of an operation that no file describes. */
export function apiPage(route: string, operation: ApiOperation, cache: PageCache, settingsKey: string): SitePage {
    const { title, file } = operation;
    const meta: FrontMatter = {
        title,
        ...(operation.description !== undefined && { description: firstSentence(operation.description) }),
        ...(operation.isDeprecated && { deprecated: true }),
    };
    const cacheKey = cache.keyOf(file, route, `${settingsKey}\0${operation.digest}`);
    return {
        route,
        file,
        source: "",
        meta,
        title,
        label: title,
        problems: [],
        operation,
        cacheKey,
    };
}

function toPage(
    route: string,
    file: string,
    text: string,
    { cache, operationOf, settingsKey }: ReadPagesOptions,
): SitePage {
    const source = text.replace(/^\uFEFF/, "");
    const { meta, problems } = readFrontMatter(source);
    const operation = operationOf(file, meta);
    const cacheKey = cache.keyOf(file, route, `${settingsKey}\0${operation?.digest ?? ""}\0${source}`);
    const title = meta.title ?? operation?.title ?? headingOf(source) ?? nameOf(route, file);
    return {
        route,
        file,
        source,
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
    return (/^.{1,200}?[.!?](?=\s|$)/.exec(line ?? "")?.[0] ?? (line ?? "").slice(0, 200)).replace(/[`*_[\]]/g, "");
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
