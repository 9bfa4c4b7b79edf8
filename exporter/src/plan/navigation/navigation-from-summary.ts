import { decodeUri } from "@pulumi-static-export/contract";
import { posix } from "node:path";
import { type HastNode } from "satteri";
import { type SourceFiles } from "../../read/files/source-files.js";
import { markdownToHast } from "../../text/markdown-parser.js";
import { childrenOf, isElement, lineOf, textOf, type HastElement } from "../../text/syntax-tree.js";
import { type SiteWarning } from "../../problems/warning-log.js";
import { nearestRoute } from "../links/nearest-route.js";
import { routesOf, type NavItem, type WrittenNavigation } from "./navigation.js";

/** The paths at which GitBook, HonKit and mdBook expect a site's table of contents. */
export const summaryFile = "SUMMARY.md";

/**
 * The table of contents in the `SUMMARY.md` of a site without settings: lists of links, with or without headings.
 * Returns undefined if the file links to no page of the site, because the file is then an ordinary page. Text that is
 * nested too deeply crashes the process, as in a page.
 * @param onPage called before the file is read
 */
export function navigationFromSummary(
    { pages, secondPages, content }: SourceFiles,
    onPage: ((file: string) => void) | undefined,
): WrittenNavigation | undefined {
    if (!content.has(summaryFile)) {
        return undefined;
    }
    onPage?.(summaryFile);
    const routes = new Map([...secondPages, ...pages].map(([route, file]) => [file, route]));
    const problems: SiteWarning[] = [];
    const toItems = (title: string, items: readonly NavItem[], link?: HastElement): NavItem[] => {
        const href = String(link?.properties["href"] ?? "");
        if (/^[a-z][a-z\d+.-]*:/i.test(href)) {
            return [{ kind: "link", title, href }, ...items];
        }
        const route = routes.get(fileOf(href));
        if (link !== undefined && href !== "" && route === undefined) {
            const meant = nearestRoute(fileOf(href), routes);
            const advice = meant === undefined ? "" : `: did you mean ${meant}?`;
            const reason = `the contents name ${href}, but there is no such page${advice}`;
            problems.push({ kind: "navigation", file: summaryFile, line: lineOf(link), reason });
        }
        if (items.length > 0) {
            return [{ kind: "group", title, expanded: false, items, ...(route !== undefined && { root: route }) }];
        }
        return route === undefined ? [] : [{ kind: "page", route }];
    };
    const itemsOf = (nodes: readonly HastNode[]): NavItem[] =>
        nodes.filter(isElement).flatMap((node) => {
            if (node.tagName === "p") {
                return linksIn(node).flatMap((link) => toItems(textOf(link), [], link));
            }
            if (node.tagName !== "li") {
                return isList(node) ? itemsOf(node.children) : [];
            }
            const own = node.children.filter((child) => !isList(child));
            const [link] = own.flatMap(linksIn);
            const title = link === undefined ? own.map(textOf).join("") : textOf(link);
            return toItems(title.trim(), itemsOf(node.children.filter(isList)), link);
        });
    const items = partsOf(content.readText(summaryFile)).flatMap(({ title, nodes }) =>
        title === undefined ? itemsOf(nodes) : toItems(title, itemsOf(nodes)),
    );
    return routesOf(items).length === 0
        ? undefined
        : { navigation: { sections: [{ path: [], items }], links: [] }, problems };
}

/**
 * The content below each heading. The first heading is the title of the file, such as "Summary" or "Table of contents".
 */
function partsOf(text: string): { readonly title: string | undefined; readonly nodes: HastNode[] }[] {
    const parts = [{ title: undefined as string | undefined, nodes: [] as HastNode[] }];
    for (const node of childrenOf(markdownToHast(text)).filter(isElement)) {
        if (!/^h[1-6]$/.test(node.tagName)) {
            parts.at(-1)?.nodes.push(node);
        } else if (node.tagName !== "h1" || parts.some(({ nodes }) => nodes.length > 0)) {
            parts.push({ title: textOf(node).trim(), nodes: [] });
        }
    }
    return parts;
}

function isList(node: HastNode): boolean {
    return isElement(node) && (node.tagName === "ul" || node.tagName === "ol");
}

function linksIn(node: HastNode): HastElement[] {
    return isElement(node) && node.tagName === "a" ? [node] : childrenOf(node).flatMap(linksIn);
}

function fileOf(href: string): string {
    const [path = ""] = href.split(/[?#]/, 1);
    return posix.normalize(decodeUri(path).normalize("NFC"));
}
