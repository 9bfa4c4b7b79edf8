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
    const items = reader.itemsOfPart(partsOf(content.readText(summary)));
    const { labels, anchors, problems } = reader;
    return routesOf(items).length === 0
        ? undefined
        : { navigation: { sections: [{ path: [], items }], links: [] }, labels, anchors, problems };
}

/** A heading, the nodes below it, and the parts of the headings below it. */
interface Part {
    /** Undefined for the whole file. */
    readonly heading: HastElement | undefined;
    readonly nodes: HastNode[];
    readonly parts: Part[];
}

/** An entry of the contents. */
interface Entry {
    /** The list item, heading, paragraph or link that contains the entry. */
    readonly node: HastElement;
    readonly link: HastElement | undefined;
    /** The page of the link. */
    readonly page: NavPage | undefined;
}

/** A link that Markdown reads as text, such as `[Name](two words.md)`. */
const unreadableLink = /\[([^[\]\n]+)\](?:\([^)\n]*\)?|\[[^[\]\n]*\])/;

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

    itemsOfPart({ heading, nodes, parts }: Part): NavItem[] {
        if (heading === undefined) {
            return [...this.#itemsOf(nodes), ...parts.flatMap((part) => this.itemsOfPart(part))];
        }
        const link = linksIn(heading).find((each) => textOf(each).trim() !== "");
        const title = textOf(heading).trim();
        // The page of the heading names itself before its links in the lists do.
        const page = link && this.#pageOf(title, link);
        const items = this.itemsOfPart({ heading: undefined, nodes, parts });
        return this.#toItems(this.#readable(title, heading), items, { node: heading, link, page });
    }

    #itemsOf(nodes: readonly HastNode[]): NavItem[] {
        return nodes.filter(isElement).flatMap((node) => {
            if (node.tagName === "p") {
                this.#readable(textOf(node), node);
                return linksIn(node).flatMap((link) => this.#entryOf(link));
            }
            if (node.tagName !== "li") {
                return isList(node) ? this.#itemsOf(node.children) : [];
            }
            const own = node.children.filter((child) => !isList(child));
            const [link, ...others] = own.flatMap(linksIn);
            const text = this.#readable(own.map(textOf).join(""), node);
            const title = (link === undefined ? text : textOf(link)).trim();
            const page = link && this.#pageOf(title, link);
            const items = this.#itemsOf(node.children.filter(isList));
            const entries = this.#toItems(title, items, { node, link, page });
            return [...entries, ...others.flatMap((other) => this.#entryOf(other))];
        });
    }

    #entryOf(link: HastElement): NavItem[] {
        const title = textOf(link);
        return this.#toItems(title, [], { node: link, link, page: this.#pageOf(title, link) });
    }

    /** @param items the items below the entry */
    #toItems(title: string, items: readonly NavItem[], { node, link, page }: Entry): NavItem[] {
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
            this.#report(node, `the contents name ${href}, but there is no such page${advice}`);
        } else if (items.length === 0 && !unreadableLink.test(textOf(node))) {
            const reason = `the contents leave out ${JSON.stringify(title)}, because it has no link and no pages below it`;
            this.#report(node, reason);
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

    /** The text, in which a link that Markdown does not read as a link is only its name. Reports such links. */
    #readable(text: string, node: HastElement): string {
        const [link, name = ""] = unreadableLink.exec(text) ?? [];
        if (link === undefined) {
            return text;
        }
        const advice = "write an address with spaces or brackets between < and >, such as [Name](<two words.md>)";
        this.#report(node, `the contents leave out ${link}, which is not a valid link: ${advice}`);
        return text.replace(unreadableLink, () => name);
    }

    #report(node: HastElement, reason: string): void {
        this.problems.push({ kind: "navigation", file: this.summary, line: lineOf(node), reason });
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
 * The file's parts, below the headings of higher levels. A heading of the first level at the start is the title of the
 * file, such as "Summary" or "Table of contents".
 */
function partsOf(text: string): Part {
    const file: Part = { heading: undefined, nodes: [], parts: [] };
    let open = [file];
    const [first, ...others] = childrenOf(markdownToHast(text)).filter(isElement);
    for (const node of first === undefined || first.tagName === "h1" ? others : [first, ...others]) {
        if (!/^h[1-6]$/.test(node.tagName)) {
            open.at(-1)?.nodes.push(node);
        } else {
            open = open.filter(({ heading }) => heading === undefined || heading.tagName < node.tagName);
            const part: Part = { heading: node, nodes: [], parts: [] };
            open.at(-1)?.parts.push(part);
            open.push(part);
        }
    }
    return file;
}

function isList(node: HastNode): boolean {
    return isElement(node) && (node.tagName === "ul" || node.tagName === "ol");
}

function linksIn(node: HastNode): HastElement[] {
    return isElement(node) && node.tagName === "a" ? [node] : childrenOf(node).flatMap(linksIn);
}
