import { decodeUri } from "@pulumi-static-export/contract";
import { posix } from "node:path";
import { type HastNode } from "satteri";
import { type SourceFiles } from "../../read/files/source-files.js";
import { markdownToHast } from "../../text/markdown-parser.js";
import { childrenOf, isElement, lineOf, textOf, type HastElement } from "../../text/syntax-tree.js";
import { type SiteWarning } from "../../problems/warning-log.js";
import { nearestRoute } from "../links/nearest-route.js";
import { encodePath } from "../../read/files/routes.js";
import { type AnchorLink } from "../links/anchor-check.js";
import { routesOf, type NavItem, type NavPage, type WrittenNavigation } from "./navigation.js";

/**
 * The table of contents in the `SUMMARY.md` of a site without settings: lists of links, with or without headings.
 * Returns undefined if the file links to no page of the site, because the file is then an ordinary page. Text that is
 * nested too deeply crashes the process, as in a page.
 * @param onPage called before the file is read
 */
export function navigationFromSummary(
    files: SourceFiles,
    summary: string,
    onPage: ((file: string) => void) | undefined,
): WrittenNavigation | undefined {
    const { content } = files;
    if (!content.has(summary)) {
        return undefined;
    }
    onPage?.(summary);
    const reader = new SummaryReader(files, summary);
    const items = partsOf(content.readText(summary)).flatMap(({ title, nodes }) =>
        title === undefined ? reader.itemsOf(nodes) : reader.toItems(title, reader.itemsOf(nodes)),
    );
    const { labels, anchors, problems } = reader;
    return routesOf(items).length === 0
        ? undefined
        : { navigation: { sections: [{ path: [], items }], links: [] }, labels, anchors, problems };
}

class SummaryReader {
    /** The names of pages; a page's other entries have their own names. */
    readonly labels = new Map<string, string>();
    readonly anchors: AnchorLink[] = [];
    readonly problems: SiteWarning[] = [];
    readonly #routes: ReadonlyMap<string, string>;
    readonly #assets: ReadonlySet<string>;

    constructor(
        { pages, secondPages, assets }: SourceFiles,
        private readonly summary: string,
    ) {
        this.#routes = new Map([...secondPages, ...pages].map(([route, file]) => [file, route]));
        this.#assets = new Set(assets);
    }

    itemsOf(nodes: readonly HastNode[]): NavItem[] {
        return nodes.filter(isElement).flatMap((node) => {
            if (node.tagName === "p") {
                return linksIn(node).flatMap((link) => this.toItems(textOf(link), [], link));
            }
            if (node.tagName !== "li") {
                return isList(node) ? this.itemsOf(node.children) : [];
            }
            const own = node.children.filter((child) => !isList(child));
            const [link, ...others] = own.flatMap(linksIn);
            const title = (link === undefined ? own.map(textOf).join("") : textOf(link)).trim();
            const page = link && this.#pageOf(title, link);
            const items = this.itemsOf(node.children.filter(isList));
            const entries = this.toItems(title, items, link, page);
            return [...entries, ...others.flatMap((other) => this.toItems(textOf(other), [], other))];
        });
    }

    /** @param items the items below the entry @param page the page of the link */
    toItems(
        title: string,
        items: readonly NavItem[],
        link?: HastElement,
        page: NavPage | undefined = link && this.#pageOf(title, link),
    ): NavItem[] {
        const href = String(link?.properties["href"] ?? "");
        const file = this.#fileOf(href);
        if (page !== undefined) {
            const { route, ...own } = page;
            const isWhole = own.label === undefined && own.anchor === undefined;
            const group = { kind: "group" as const, title: this.labels.get(route) ?? title, expanded: false };
            return items.length === 0
                ? [page]
                : [isWhole ? { ...group, items, root: route } : { ...group, title, items: [page, ...items] }];
        }
        if (isElsewhere(href) || this.#assets.has(file)) {
            return [{ kind: "link", title, href: isElsewhere(href) ? href : `/${encodePath(file)}` }, ...items];
        }
        if (href !== "") {
            const meant = nearestRoute(file, this.#routes);
            const advice = meant === undefined ? "" : `: did you mean ${meant}?`;
            this.#report(link && lineOf(link), `the contents name ${href}, but there is no such page${advice}`);
        }
        return items.length === 0 ? [] : [{ kind: "group", title, expanded: false, items }];
    }

    /** The entry for a link. The first entry of a whole page also names the page. */
    #pageOf(title: string, link: HastElement): NavPage | undefined {
        const href = String(link.properties["href"] ?? "");
        const route = isElsewhere(href) ? undefined : this.#routes.get(this.#fileOf(href));
        if (route === undefined) {
            return undefined;
        }
        const shown = link.properties["title"];
        const label = typeof shown === "string" && shown.trim() !== "" ? shown.trim() : title.trim();
        const anchor = href.includes("#") ? decodeUri(href.slice(href.indexOf("#") + 1)) : "";
        if (anchor !== "") {
            this.anchors.push({ file: this.summary, line: lineOf(link), href, route, anchor });
            return { kind: "page", route, ...(label !== "" && { label }), anchor };
        }
        if (!this.labels.has(route)) {
            this.labels.set(route, label);
            return { kind: "page", route };
        }
        return { kind: "page", route, ...(label !== "" && { label }) };
    }

    #report(line: number | undefined, reason: string): void {
        this.problems.push({ kind: "navigation", file: this.summary, line, reason });
    }

    #fileOf(href: string): string {
        const [path = ""] = href.split(/[?#]/, 1);
        return posix.join(posix.dirname(this.summary), decodeUri(path).normalize("NFC"));
    }
}

function isElsewhere(href: string): boolean {
    return /^[a-z][a-z\d+.-]*:/i.test(href);
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
