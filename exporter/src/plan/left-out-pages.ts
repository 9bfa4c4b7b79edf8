import { posix } from "node:path";
import { type SiteWarning } from "../problems/warning-log.js";
import { maxPageBytes } from "../read/files/found-files.js";
import { isReadme, routeOfFile } from "../read/files/routes.js";
import { type SourceFiles } from "../read/files/source-files.js";
import { lineOfKey } from "../read/front-matter/front-matter.js";
import { routesOfNavigation, type WrittenNavigation } from "./navigation/navigation.js";
import { type SitePage } from "./site-page.js";

/** Snippets that pages import; they are not separate pages. */
export function isSnippet(file: string): boolean {
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

/**
 * The candidates that the navigation lists, and all others except second pages, snippets and files for contributors.
 */
export function wantedPages(
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

/** Files whose routes are taken by other files. A README is left out without a warning. */
export function omittedSecondPages(
    { secondPages, pages }: SourceFiles,
    wanted: ReadonlyMap<string, string>,
): SiteWarning[] {
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
export function unusedSnippets(
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

export function draftWarning({ file, source, meta: { draft } }: SitePage): SiteWarning[] {
    const [key, value] = draft === true ? ["draft", true] : ["published", false];
    const reason = `the page is a draft (${key}: ${value}): exports leave it out`;
    return [{ kind: "access", file, line: lineOfKey(source, key), reason }];
}

/** The files whose names are taken by pages, each with a warning. */
export function filesBehindPages(
    files: readonly string[],
    pages: ReadonlyMap<string, { readonly file: string }>,
): ReadonlyMap<string, SiteWarning> {
    const found = files.flatMap((file): [string, SiteWarning][] => {
        const page = /\.html$/.test(file) ? pages.get(file.replace(/\.html$/, "")) : undefined;
        const reason = `${page?.file} is exported under the same name, so this file is left out`;
        return page === undefined ? [] : [[file, navigationWarning(file, reason)]];
    });
    return new Map(found);
}

export function navigationWarning(file: string, reason: string): SiteWarning {
    return { kind: "navigation", file, line: undefined, reason };
}
