import { posix } from "node:path";
import { decodeUri } from "../text/decode-uri.js";
import { type NavItem, type Navigation } from "./navigation.js";

/** Where GitBook, HonKit and mdBook keep a site's contents. */
export const summaryFile = "SUMMARY.md";

export interface SummaryNavigation {
    readonly navigation: Navigation;
    readonly problems: readonly { readonly line: number; readonly reason: string }[];
}

interface Entry {
    readonly title: string;
    readonly href: string | undefined;
    readonly line: number;
    readonly entries: Entry[];
}

/** A group of a heading holds the lists below it; entries are nested as deeply as their lists. */
interface Level {
    readonly indent: number;
    readonly entries: Entry[];
}

const listed = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(\S.*)$/;
const linked = /^\[((?:[^[\]\\]|\\.)*)\]\((<[^<>]*>|[^()\s]*(?:\([^()]*\)[^()\s]*)*)/;
const headed = /^(#{1,6})[ \t]+(\S.*)$/;
const maxDepth = 20;

/**
 * The contents that a site without settings writes in its `SUMMARY.md`: lists of links, below headings or not.
 *
 * @param pages - files of pages by route
 * @returns undefined when it names no page of the site, and so is a page like others
 */
export function navigationFromSummary(text: string, pages: ReadonlyMap<string, string>): SummaryNavigation | undefined {
    const routes = new Map([...pages].map(([route, file]) => [file, route]));
    const problems: { line: number; reason: string }[] = [];
    let pageCount = 0;

    const toItems = ({ title, href, line, entries }: Entry): NavItem[] => {
        const items = entries.flatMap(toItems);
        if (href !== undefined && /^[a-z][a-z\d+.-]*:/i.test(href)) {
            return [{ kind: "link", title, href }, ...items];
        }
        const route = href === undefined ? undefined : routes.get(fileOf(href));
        if (route === undefined && href !== undefined) {
            problems.push({ line, reason: `the contents name ${href}, but there is no such page` });
        }
        pageCount += route === undefined ? 0 : 1;
        const root = route === undefined ? {} : { root: route };
        return items.length > 0
            ? [{ kind: "group", title, expanded: false, items, ...root }]
            : route === undefined
              ? []
              : [{ kind: "page", route }];
    };
    const items = entriesOf(text).flatMap(toItems);
    return pageCount === 0 ? undefined : { navigation: { sections: [{ path: [], items }], links: [] }, problems };
}

function entriesOf(text: string): readonly Entry[] {
    const top: Entry[] = [];
    let levels: Level[] = [{ indent: -1, entries: top }];
    text.split(/\r?\n/).forEach((line, at) => {
        const [, hashes, heading] = headed.exec(line) ?? [];
        if (hashes !== undefined && heading !== undefined) {
            // The first heading is the file's own, such as "Summary" or "Table of contents".
            const isTitle = hashes === "#" && levels[0]?.entries === top && top.length === 0;
            const entry: Entry = { title: plain(heading), href: undefined, line: at + 1, entries: [] };
            if (!isTitle) {
                top.push(entry);
                levels = [{ indent: -1, entries: entry.entries }];
            }
            return;
        }
        const [, indent = "", content = line] = listed.exec(line) ?? [];
        const [link, title, href] = linked.exec(content) ?? [];
        if (link === undefined && content === line) {
            return;
        }
        const entry: Entry = {
            title: plain(title ?? content),
            href: href === undefined || href === "" ? undefined : href.replace(/^<|>$/g, ""),
            line: at + 1,
            entries: [],
        };
        const width = indent.replaceAll("\t", "    ").length;
        while (levels.length > 1 && (levels.at(-1)?.indent ?? -1) >= width) {
            levels.pop();
        }
        levels.at(-1)?.entries.push(entry);
        if (levels.length < maxDepth) {
            levels.push({ indent: width, entries: entry.entries });
        }
    });
    return top;
}

function fileOf(href: string): string {
    const [path = ""] = href.split(/[?#]/, 1);
    return posix.normalize(decodeUri(path));
}

function plain(title: string): string {
    return title
        .replace(/<[^<>]*>/g, "")
        .replace(/\\([\\`*_[\]()#+.!<>-])/g, "$1")
        .replace(/[`*]/g, "")
        .trim();
}
