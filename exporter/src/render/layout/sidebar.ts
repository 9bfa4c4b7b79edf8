import { getOrMake } from "../../text/get-or-make.js";
import { type NavGroup, type NavItem, type NavSection, routesOf } from "../../plan/navigation/navigation.js";
import { htmlFileOf, relativeHref } from "../../read/files/routes.js";
import { operationOf, type SitePage } from "../../plan/site-page.js";
import { linkItem, navTag, type WaysOptions } from "./switchers.js";
import { directoryOf } from "./directory.js";
import { escapeHtml } from "../../text/html-text.js";
import { type Place } from "../../plan/navigation/places.js";

/**
 * Every page contains the sidebar. To save space, in a site of more than `maxPages` pages, a list of more than
 * `maxPagesOfList` of them contains only the groups around the current page, and for each other group a link to its
 * first page.
 */
const maxPages = 300;
const maxPagesOfList = 120;

export interface SidebarOptions extends WaysOptions {
    readonly pages: ReadonlyMap<string, SitePage>;
}

/** How a list of pages looks from one page. */
interface View {
    readonly from: string;
    /** The groups around the page. */
    readonly current: readonly NavGroup[];
    readonly isLarge: boolean;
}

/** Writes the sidebar for one page. */
export class Sidebar {
    /** Pages of one folder and group share everything but the mark of the current page. */
    readonly #lists = new Map<NavGroup | NavSection, Map<string, string>>();
    readonly #firstRoutes = new Map<NavGroup, string | undefined>();

    constructor(private readonly options: SidebarOptions) {}

    links(route: string): string {
        const place = this.options.places.of(route);
        if (place === undefined) {
            return "";
        }
        const folder = route.slice(0, route.lastIndexOf("/") + 1);
        const owner = place.groups[place.groups.length - 1] ?? place.section;
        const byFolder = getOrMake(this.#lists, owner, () => new Map<string, string>());
        const list = getOrMake(byFolder, folder, () =>
            this.#list(place.section.items, this.#viewFrom(route, place), 0),
        );
        const href = `href="${this.#href(route, route)}"`;
        return list.replace(href, () => `${href} aria-current="page"`);
    }

    /** The names of the groups around a page, outermost first. */
    groupsOf(route: string): readonly string[] {
        const { places } = this.options;
        return places.isListed(route) ? (places.of(route)?.groups ?? []).map(({ title }) => title) : [];
    }

    /** The pages of the group, on the group's own page. */
    directory(route: string): string {
        const { places, pages, icon, link } = this.options;
        const group = places.isListed(route) ? places.of(route)?.groups.at(-1) : undefined;
        if (group?.root !== route) {
            return "";
        }
        return directoryOf(group, (item) => {
            if (item.kind === "link") {
                return { href: link(item.href, route), icon: icon(item, route), title: escapeHtml(item.title) };
            }
            const target = item.kind === "page" ? item.route : this.#firstRoute(item);
            if (target === undefined) {
                return undefined;
            }
            const { label = target, meta = {} } = pages.get(target) ?? {};
            const url = item.kind === "page" ? meta.url : undefined;
            return {
                href: url === undefined ? this.#href(route, target) : link(url, route),
                icon: icon(item.kind === "group" ? item : meta, route),
                title: escapeHtml(item.kind === "group" ? item.title : label),
                description: meta.description,
            };
        });
    }

    #viewFrom(from: string, { section, groups }: Place): View {
        const { places } = this.options;
        const isLarge = places.count > maxPages && places.routesOf(section).length > maxPagesOfList;
        return { from, current: groups, isLarge };
    }

    #list(items: readonly NavItem[], view: View, depth: number): string {
        return `<ul>${items.map((item) => this.#item(item, view, depth)).join("")}</ul>`;
    }

    #item(item: NavItem, view: View, depth: number): string {
        const { from } = view;
        if (item.kind === "link") {
            return linkItem(item, from, this.options);
        }
        return item.kind === "group" ? this.#group(item, view, depth) : this.#page(item.route, from);
    }

    #page(route: string, from: string): string {
        const page = this.options.pages.get(route);
        if (page === undefined) {
            return `<li><a href="${this.#href(from, route)}">${escapeHtml(route)}</a></li>`;
        }
        const { url, tag, deprecated } = page.meta;
        const href = url === undefined ? this.#href(from, route) : escapeHtml(this.options.link(url, from));
        const icon = this.options.icon(page.meta, from);
        const title = escapeHtml(page.label);
        const name = deprecated === true || operationOf(page)?.isDeprecated === true ? `<s>${title}</s>` : title;
        return `<li><a href="${href}">${icon}${methodMark(page)}${name}${navTag(tag)}</a></li>`;
    }

    #group(group: NavGroup, view: View, depth: number): string {
        const { from, current, isLarge } = view;
        const icon = this.options.icon(group, from);
        const title = icon + escapeHtml(group.title) + navTag(group.tag);
        const isCurrent = current.includes(group);
        const first = this.#firstRoute(group);
        if (isLarge && !isCurrent && first !== undefined) {
            return `<li class="group"><a class="group-title" href="${this.#href(from, first)}">${title}</a></li>`;
        }
        const root = group.root === undefined ? "" : this.#page(group.root, from);
        const list = this.#list(group.items, view, depth + 1).replace("<ul>", () => `<ul>${root}`);
        if (depth === 0) {
            return `<li class="group"><p class="group-title">${title}</p>${list}</li>`;
        }
        const open = isCurrent || group.expanded ? " open" : "";
        return `<li class="group"><details${open}><summary>${title}</summary>${list}</details></li>`;
    }

    #firstRoute(group: NavGroup): string | undefined {
        return getOrMake(this.#firstRoutes, group, () => routesOf([group])[0]);
    }

    #href(fromRoute: string, toRoute: string): string {
        return relativeHref(fromRoute, htmlFileOf(toRoute));
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
