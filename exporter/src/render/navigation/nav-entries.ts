import { isDraft } from "../../read/front-matter/front-matter.js";
import { getOrMake } from "../../text/get-or-make.js";
import { pagesBelow, type NavGroup, type NavItem, type NavPage } from "../../plan/navigation/navigation.js";
import { htmlFileOf, relativeHref } from "../../read/files/routes.js";
import { operationOf, type SitePage } from "../../plan/site-page.js";
import { navTag, type WaysOptions } from "../layout/switchers.js";
import { dashHtml, escapeHtml } from "../../text/html-text.js";

export interface NavEntriesOptions extends WaysOptions {
    readonly pages: ReadonlyMap<string, SitePage>;
}

/** A link in a list of pages. */
interface NavEntry {
    readonly href: string;
    /** HTML, with icons and marks. */
    readonly name: string;
}

/** Writes the entries of lists of pages, as seen from a page. */
export class NavEntries {
    readonly #firstRoutes = new Map<NavGroup, string | undefined>();

    constructor(private readonly options: NavEntriesOptions) {}

    /** Returns the entry of an item; undefined for a group without pages. */
    of(item: NavItem, from: string): NavEntry | undefined {
        if (item.kind === "page") {
            return this.page(item, from);
        }
        if (item.kind === "link") {
            const { icon, link } = this.options;
            return { href: link(item.href, from), name: icon(item, from) + escapeHtml(item.title) };
        }
        const first = this.firstRoute(item);
        return first === undefined ? undefined : { href: this.href(from, first), name: this.groupName(item, from) };
    }

    page({ route, label, anchor }: Omit<NavPage, "kind">, from: string): NavEntry {
        const page = this.options.pages.get(route);
        const own = this.href(from, route) + (anchor === undefined ? "" : `#${encodeURIComponent(anchor)}`);
        if (page === undefined) {
            return { href: own, name: escapeHtml(route) };
        }
        const { url, tag, deprecated } = page.meta;
        const icon = this.options.icon(page.meta, from);
        const title = escapeHtml(label ?? page.label);
        const name = deprecated === true || operationOf(page)?.isDeprecated === true ? `<s>${title}</s>` : title;
        return {
            href: url === undefined ? own : this.options.link(url, from),
            name: `${icon}${methodMark(page)}${name}${navTag(isDraft(page.meta) ? "Draft" : tag)}`,
        };
    }

    groupName(group: NavGroup, from: string): string {
        return this.options.icon(group, from) + escapeHtml(group.title) + navTag(group.tag);
    }

    /** The name of a range of consecutive items. */
    nameOfRow(first: NavItem, last: NavItem): string {
        return `${escapeHtml(this.#textOf(first))} ${dashHtml} ${escapeHtml(this.#textOf(last))}`;
    }

    /** The name of a range of consecutive items, as text. */
    textOfRow(first: NavItem, last: NavItem): string {
        return `${this.#textOf(first)} – ${this.#textOf(last)}`;
    }

    firstRoute(group: NavGroup): string | undefined {
        return getOrMake(this.#firstRoutes, group, () => {
            const [first] = pagesBelow([group]);
            return first?.route;
        });
    }

    href(fromRoute: string, toRoute: string): string {
        return relativeHref(fromRoute, htmlFileOf(toRoute));
    }

    #textOf(item: NavItem): string {
        return item.kind === "page"
            ? (item.label ?? this.options.pages.get(item.route)?.label ?? item.route)
            : item.title;
    }
}

/** The method of the page's operation, unless the page hides it. */
function methodMark(page: SitePage): string {
    const { api = "", hideApiMarker } = page.meta;
    const method = operationOf(page)?.method ?? /^\s*([a-z]+)\s/i.exec(api)?.[1]?.toLowerCase();
    return method === undefined || hideApiMarker === true
        ? ""
        : `<span class="method ${method}">${method === "delete" ? "DEL" : method.toUpperCase()}</span>`;
}
