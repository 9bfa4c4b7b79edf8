import { textOfLead } from "../../html/lead.js";
import { getOrMake } from "../../text/get-or-make.js";
import { type NavGroup, type NavItem, type NavPage, type NavSection } from "../../plan/navigation/navigation.js";
import { linkItem } from "../layout/switchers.js";
import { directoryOf } from "./directory.js";
import { escapeHtml } from "../../text/html-text.js";
import { type Place } from "../../plan/navigation/places.js";
import { type NavEntries, type NavEntriesOptions } from "./nav-entries.js";
import { type LongLists, pieceOf } from "./long-lists.js";

/**
 * The number of cached lists. A few are enough, because pages are written in reading order and mostly share the
 * previous page's list.
 */
const maxCachedLists = 64;

interface SidebarOptions extends NavEntriesOptions {
    readonly entries: NavEntries;
    readonly longLists: LongLists;
}

/** The list of pages, as seen from one page. */
interface View {
    readonly from: string;
    readonly place: Place;
    readonly isLarge: boolean;
    /** The block of the innermost list that contains the page. */
    readonly block: number;
}

/**
 * Writes the sidebar for one page. In a large section, the sidebar contains the groups around the page, only a part of
 * long lists, and a link to the first page of each other group. A script loads the rest from the section's file;
 * readers without scripts get links to pages with the whole lists.
 */
export class Sidebar {
    /** Pages in one folder, group and block share the whole sidebar, except the mark of the current page. */
    readonly #lists = new Map<string, string>();
    readonly #owners = new Map<NavGroup | NavSection, number>();

    constructor(private readonly options: SidebarOptions) {}

    links(route: string): string {
        const place = this.options.places.of(route);
        if (place === undefined) {
            return "";
        }
        const { longLists, entries } = this.options;
        const owner = ownerOf(place);
        const isLarge = longLists.isLarge(place.section);
        const block = isLarge ? longLists.blockOf(owner.items, route) : 0;
        const folder = route.slice(0, route.lastIndexOf("/") + 1);
        const key = `${this.#numberOf(owner)} ${block} ${folder}`;
        const list = this.#cachedList(key, () =>
            this.#list(place.section.items, { from: route, place, isLarge, block }, 0),
        );
        const href = `href="${escapeHtml(entries.href(route, route))}"`;
        return list.replace(href, () => `${href} aria-current="page"`);
    }

    /** The names of the groups around a page, outermost first. */
    groupsOf(route: string): readonly string[] {
        const { places } = this.options;
        return places.isListed(route) ? (places.of(route)?.groups ?? []).map(({ title }) => title) : [];
    }

    /** Lists the pages of a group on the group's own page. */
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
            const target = item.kind === "page" ? item.route : this.options.entries.firstRoute(item);
            if (target === undefined) {
                return undefined;
            }
            const { label = target, meta = {} } = pages.get(target) ?? {};
            const url = item.kind === "page" ? meta.url : undefined;
            return {
                href: url === undefined ? this.options.entries.href(route, target) : link(url, route),
                icon: icon(item.kind === "group" ? item : meta, route),
                title: escapeHtml(item.kind === "group" ? item.title : label),
                description: meta.description && textOfLead(meta.description),
            };
        });
    }

    #numberOf(owner: NavGroup | NavSection): number {
        return getOrMake(this.#owners, owner, () => this.#owners.size);
    }

    #cachedList(key: string, write: () => string): string {
        if (this.#lists.size > maxCachedLists && !this.#lists.has(key)) {
            this.#lists.clear();
        }
        return getOrMake(this.#lists, key, write);
    }

    #list(items: readonly NavItem[], view: View, depth: number): string {
        if (!view.isLarge) {
            return `<ul>${items.map((item) => this.#item(item, view, depth)).join("")}</ul>`;
        }
        const { place } = view;
        const { longLists } = this.options;
        const isOwner = items === ownerOf(place).items;
        const block = isOwner ? view.block : longLists.blockOf(items, place.groups[depth]);
        const { from, to } = longLists.shown(items, block);
        const file = depth === 0 ? ` data-list="${longLists.fileOf(place.section)}"` : "";
        const shown = items.slice(from, to).map((item) => this.#item(item, view, depth));
        const [before, after] = [this.#folded(items, 0, from, view), this.#folded(items, to, items.length, view)];
        return `<ul${file}>${before}${shown.join("")}${after}</ul>`;
    }

    /** A link to a page with the omitted items. */
    #folded(items: readonly NavItem[], from: number, to: number, { from: route, place: { section } }: View): string {
        const { entries, longLists } = this.options;
        const list = longLists.in(section).get(items);
        const [first, last] = [items[from], items[to - 1]];
        if (from === to || list === undefined || first === undefined || last === undefined) {
            return "";
        }
        const near = pieceOf(from === 0 ? to - 1 : from);
        const href = entries.href(route, longLists.routeOf(section, list, near));
        const name = entries.nameOfRow(first, last);
        return `<li class="group" data-fold><a class="group-title" href="${href}">${name}</a></li>`;
    }

    #item(item: NavItem, view: View, depth: number): string {
        const { from } = view;
        if (item.kind === "link") {
            return linkItem(item, from, this.options);
        }
        return item.kind === "group" ? this.#group(item, view, depth) : this.#page(item, from);
    }

    #page(page: Omit<NavPage, "kind">, from: string): string {
        const { href, name } = this.options.entries.page(page, from);
        return `<li><a href="${escapeHtml(href)}">${name}</a></li>`;
    }

    #group(group: NavGroup, view: View, depth: number): string {
        const { from, place, isLarge } = view;
        const title = this.options.entries.groupName(group, from);
        const isCurrent = place.groups.includes(group);
        const first = this.options.entries.firstRoute(group);
        if (isLarge && !isCurrent && first !== undefined) {
            const href = this.options.entries.href(from, first);
            return `<li class="group"><a class="group-title" href="${href}">${title}</a></li>`;
        }
        const root = group.root === undefined ? "" : this.#page({ route: group.root }, from);
        const list = this.#list(group.items, view, depth + 1).replace("<ul>", () => `<ul>${root}`);
        if (depth === 0) {
            return `<li class="group"><p class="group-title">${title}</p>${list}</li>`;
        }
        const open = isCurrent || group.expanded ? " open" : "";
        return `<li class="group"><details${open}><summary>${title}</summary>${list}</details></li>`;
    }
}

function ownerOf({ groups, section }: Place): NavGroup | NavSection {
    return groups.at(-1) ?? section;
}
