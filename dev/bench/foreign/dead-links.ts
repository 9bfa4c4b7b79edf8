import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, posix, relative, sep } from "node:path";
import { unescapeHtml } from "./unescape-html.js";

export interface DeadLink {
    /** The page's path, relative to the exported site. */
    readonly page: string;
    readonly href: string;
}

export interface LinkReport {
    readonly links: number;
    /** Links that are dead in the export, and probably in the source, because it has no matching file or heading. */
    readonly deadInSource: readonly DeadLink[];
    /** Links that are dead in the export although the source has a matching file or heading. */
    readonly lost: readonly DeadLink[];
}

interface Page {
    readonly ids: ReadonlySet<string>;
    readonly hrefs: readonly string[];
}

/**
 * Follows every link of an exported site, independently of the exporter, and looks up each dead link in the source. A
 * link to a file is lost if the source has a file of that name; a link to an anchor is lost if the source has a heading
 * with the same letters.
 */
export async function findDeadLinks(exportedDir: string, sourceDir: string): Promise<LinkReport> {
    const pages = new Map<string, Page>();
    for (const file of await filesOf(exportedDir)) {
        if (file.endsWith(".html")) {
            pages.set(file, parsePage(await readFile(join(exportedDir, file), "utf8")));
        }
    }
    const deadInSource: DeadLink[] = [];
    const lost: DeadLink[] = [];
    let links = 0;
    for (const [page, { hrefs }] of pages) {
        for (const href of hrefs) {
            const target = targetOf(href, page);
            if (target === undefined) {
                continue;
            }
            links++;
            const { file, anchor } = target;
            const there = pages.get(file);
            if (there === undefined && !existsSync(join(exportedDir, file))) {
                (hasSourceOf(sourceDir, file) ? lost : deadInSource).push({ page, href });
            } else if (there !== undefined && anchor !== "" && !there.ids.has(anchor)) {
                ((await hasHeading(sourceDir, file, anchor)) ? lost : deadInSource).push({ page, href });
            }
        }
    }
    return { links, deadInSource, lost };
}

async function filesOf(folder: string): Promise<string[]> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

/** The exporter writes attributes in double quotes. */
function parsePage(html: string): Page {
    const values = (expression: RegExp) => [...html.matchAll(expression)].map(([, value = ""]) => unescapeHtml(value));
    return {
        ids: new Set(values(/\sid="([^"]*)"/g)),
        hrefs: [...new Set(values(/<a\s[^>]*?href="([^"]*)"/g))],
    };
}

/** @returns undefined for an external link */
function targetOf(href: string, page: string): { file: string; anchor: string } | undefined {
    if (href === "" || href === "#" || href.startsWith("//") || /^[a-z][a-z\d+.-]*:/i.test(href)) {
        return undefined;
    }
    const [path = "", anchor = ""] = href.split("#", 2);
    const name = decode(path.split("?", 1)[0] ?? "");
    const file = name === "" ? page : posix.normalize(posix.join(posix.dirname(page), name)).replace(/^\/+/, "");
    return file.startsWith("../") ? undefined : { file, anchor: decode(anchor) };
}

function decode(text: string): string {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

function sourcesOf(sourceDir: string, file: string): string[] {
    const route = file.replace(/\.html$/, "");
    return [file, route, `${route}.mdx`, `${route}.md`, `${route}/index.mdx`, `${route}/index.md`].map((name) =>
        join(sourceDir, name),
    );
}

function hasSourceOf(sourceDir: string, file: string): boolean {
    return sourcesOf(sourceDir, file).some((source) => source !== dirname(sourceDir) && existsSync(source));
}

async function hasHeading(sourceDir: string, file: string, anchor: string): Promise<boolean> {
    const source = sourcesOf(sourceDir, file).find((path) => /\.mdx?$/.test(path) && existsSync(path));
    if (source === undefined) {
        return false;
    }
    const wanted = lettersOf(anchor);
    return (await readFile(source, "utf8"))
        .split("\n")
        .some(
            (line) => /^\s*#{1,6}\s|\btitle=|\blabel=|\bid=|\bpath=|\bbody=|\bquery=/.test(line) && holds(line, wanted),
        );
}

function holds(line: string, wanted: string): boolean {
    const heading = /^\s*#{1,6}\s/.test(line);
    return heading
        ? lettersOf(line) === wanted
        : [...line.matchAll(/\b(?:title|label|id|path|body|query)=["'{]+([^"'}]+)/g)].some(
              ([, value = ""]) => lettersOf(value) === wanted,
          );
}

function lettersOf(text: string): string {
    return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
