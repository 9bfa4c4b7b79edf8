import { escapeHtml } from "./html-text.js";
import { routesOf, type NavGroup, type NavItem, type Navigation, type NavSection } from "./navigation.js";
import { htmlFileOf, relativeHref } from "./routes.js";

/** From here on a group that the reader is not in is one link to its first page: every page carries the sidebar. */
const largeNavigation = 300;

/** Writes the sidebar and the tabs as they look from one page. */
export class Sidebar {
    private readonly sectionByRoute = new Map<string, NavSection>();
    private readonly isLarge: boolean;

    constructor(
        private readonly navigation: Navigation,
        private readonly titles: ReadonlyMap<string, string>,
        private readonly link: (href: string, fromRoute: string) => string,
    ) {
        for (const section of navigation) {
            for (const route of routesOf(section.items)) {
                if (!this.sectionByRoute.has(route)) this.sectionByRoute.set(route, section);
            }
        }
        this.isLarge = this.sectionByRoute.size > largeNavigation;
    }

    /** The row of sections, empty when there is only one. */
    tabs(route: string): string {
        const titled = this.navigation.filter((section) => section.title !== "");
        if (titled.length === 0 || this.navigation.length === 1) return "";
        const current = this.sectionByRoute.get(route);
        const items = titled.map((section) => {
            const first = routesOf(section.items)[0];
            const external = section.items.find((item) => item.kind === "link");
            const href = first === undefined ? this.link(external?.href ?? "", route) : this.href(route, first);
            const mark = section === current ? ' aria-current="true"' : "";
            return `<li><a href="${escapeHtml(href)}"${mark}>${escapeHtml(section.title)}</a></li>`;
        });
        return `<ul class="sections">${items.join("")}</ul>`;
    }

    links(route: string): string {
        const section = this.sectionByRoute.get(route);
        return section === undefined ? "" : this.list(section.items, route, 0);
    }

    /** Groups that lead to the page, for the line above its title. */
    groupOf(route: string): string | undefined {
        const find = (items: readonly NavItem[]): string | undefined => {
            for (const item of items) {
                if (item.kind === "group" && routesOf([item]).includes(route)) return find(item.items) ?? item.title;
            }
            return undefined;
        };
        return find(this.sectionByRoute.get(route)?.items ?? []);
    }

    private list(items: readonly NavItem[], route: string, depth: number): string {
        return `<ul>${items.map((item) => this.item(item, route, depth)).join("")}</ul>`;
    }

    private item(item: NavItem, route: string, depth: number): string {
        if (item.kind === "link") {
            return `<li><a href="${escapeHtml(this.link(item.href, route))}">${escapeHtml(item.title)}</a></li>`;
        }
        if (item.kind === "group") return this.group(item, route, depth);
        const mark = item.route === route ? ' aria-current="page"' : "";
        return `<li><a href="${this.href(route, item.route)}"${mark}>${escapeHtml(this.titles.get(item.route) ?? item.route)}</a></li>`;
    }

    private group(group: NavGroup, route: string, depth: number): string {
        const title = escapeHtml(group.title);
        const routes = routesOf([group]);
        const isCurrent = routes.includes(route);
        if (this.isLarge && !isCurrent && routes[0] !== undefined) {
            return `<li class="group"><a class="group-title" href="${this.href(route, routes[0])}">${title}</a></li>`;
        }
        const list = this.list(group.items, route, depth + 1);
        if (depth === 0) return `<li class="group"><p class="group-title">${title}</p>${list}</li>`;
        const open = isCurrent || group.expanded ? " open" : "";
        return `<li class="group"><details${open}><summary>${title}</summary>${list}</details></li>`;
    }

    private href(fromRoute: string, toRoute: string): string {
        return relativeHref(fromRoute, htmlFileOf(toRoute));
    }
}
