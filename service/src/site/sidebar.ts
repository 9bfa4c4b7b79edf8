import { escapeHtml } from "./html-text.js";
import { routesOf, type NavGroup, type NavItem, type Navigation, type NavSection } from "./navigation.js";
import { htmlFileOf, relativeHref } from "./routes.js";

/** From here on a group that the reader is not in is one link to its first page: every page carries the sidebar. */
const largeNavigation = 300;

interface Place {
    readonly section: NavSection;
    /** The groups around the page, outermost first. */
    readonly groups: readonly NavGroup[];
}

/** Writes the sidebar and the tabs as they look from one page. */
export class Sidebar {
    private readonly places = new Map<string, Place>();
    private readonly isLarge: boolean;
    /** Pages of one folder and group share all but the mark of the current page. */
    private readonly lists = new Map<NavGroup | NavSection, Map<string, string>>();

    constructor(
        private readonly navigation: Navigation,
        private readonly titles: ReadonlyMap<string, string>,
        private readonly link: (href: string, fromRoute: string) => string,
    ) {
        for (const section of navigation) this.findPlaces(section, section.items, []);
        this.isLarge = this.places.size > largeNavigation;
    }

    /** The row of sections, empty when there is only one. */
    tabs(route: string): string {
        const titled = this.navigation.filter((section) => section.title !== "");
        if (titled.length === 0 || this.navigation.length === 1) return "";
        const current = this.places.get(route)?.section;
        const items = titled.map((section) => {
            const first = firstRoute(section.items);
            const external = section.items.find((item) => item.kind === "link");
            const href = first === undefined ? this.link(external?.href ?? "", route) : this.href(route, first);
            const mark = section === current ? ' aria-current="true"' : "";
            return `<li><a href="${escapeHtml(href)}"${mark}>${escapeHtml(section.title)}</a></li>`;
        });
        return `<ul class="sections">${items.join("")}</ul>`;
    }

    links(route: string): string {
        const place = this.places.get(route);
        if (place === undefined) return "";
        const folder = route.slice(0, route.lastIndexOf("/") + 1);
        const owner = place.groups[place.groups.length - 1] ?? place.section;
        const byFolder = this.lists.get(owner) ?? new Map<string, string>();
        this.lists.set(owner, byFolder);
        let list = byFolder.get(folder);
        if (list === undefined) byFolder.set(folder, (list = this.list(place.section.items, route, place.groups, 0)));
        const href = `href="${this.href(route, route)}"`;
        return list.replace(href, () => `${href} aria-current="page"`);
    }

    /** The innermost group around a page, for the line above its title. */
    groupOf(route: string): string | undefined {
        const groups = this.places.get(route)?.groups ?? [];
        return groups[groups.length - 1]?.title;
    }

    private findPlaces(section: NavSection, items: readonly NavItem[], groups: readonly NavGroup[]): void {
        for (const item of items) {
            if (item.kind === "group") this.findPlaces(section, item.items, [...groups, item]);
            else if (item.kind === "page" && !this.places.has(item.route))
                this.places.set(item.route, { section, groups });
        }
    }

    private list(items: readonly NavItem[], from: string, current: readonly NavGroup[], depth: number): string {
        return `<ul>${items.map((item) => this.item(item, from, current, depth)).join("")}</ul>`;
    }

    private item(item: NavItem, from: string, current: readonly NavGroup[], depth: number): string {
        if (item.kind === "link") {
            return `<li><a href="${escapeHtml(this.link(item.href, from))}">${escapeHtml(item.title)}</a></li>`;
        }
        if (item.kind === "group") return this.group(item, from, current, depth);
        const title = escapeHtml(this.titles.get(item.route) ?? item.route);
        return `<li><a href="${this.href(from, item.route)}">${title}</a></li>`;
    }

    private group(group: NavGroup, from: string, current: readonly NavGroup[], depth: number): string {
        const title = escapeHtml(group.title);
        const isCurrent = current.includes(group);
        const first = firstRoute(group.items);
        if (this.isLarge && !isCurrent && first !== undefined) {
            return `<li class="group"><a class="group-title" href="${this.href(from, first)}">${title}</a></li>`;
        }
        const list = this.list(group.items, from, current, depth + 1);
        if (depth === 0) return `<li class="group"><p class="group-title">${title}</p>${list}</li>`;
        const open = isCurrent || group.expanded ? " open" : "";
        return `<li class="group"><details${open}><summary>${title}</summary>${list}</details></li>`;
    }

    private href(fromRoute: string, toRoute: string): string {
        return relativeHref(fromRoute, htmlFileOf(toRoute));
    }
}

function firstRoute(items: readonly NavItem[]): string | undefined {
    return routesOf(items)[0];
}
