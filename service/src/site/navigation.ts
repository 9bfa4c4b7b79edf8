/** A page, a link to elsewhere, or a group of both, as the sidebar lists them. */
export type NavItem = NavPage | NavLink | NavGroup;

export interface NavPage {
    readonly kind: "page";
    readonly route: string;
}

export interface NavLink {
    readonly kind: "link";
    readonly title: string;
    readonly href: string;
}

export interface NavGroup {
    readonly kind: "group";
    readonly title: string;
    /** Whether a nested group starts open; the group of the page one reads is always open. */
    readonly expanded: boolean;
    readonly items: readonly NavItem[];
}

/** A part of the site with a sidebar of its own; a site without tabs has one, untitled. */
export interface NavSection {
    readonly title: string;
    readonly items: readonly NavItem[];
}

export type Navigation = readonly NavSection[];

/** The routes below the given items in reading order, each once. */
export function routesOf(items: readonly NavItem[]): string[] {
    const routes = new Set<string>();
    const collect = (item: NavItem): void => {
        if (item.kind === "page") routes.add(item.route);
        else if (item.kind === "group") item.items.forEach(collect);
    };
    items.forEach(collect);
    return [...routes];
}

export function routesOfNavigation(navigation: Navigation): string[] {
    return [...new Set(navigation.flatMap((section) => routesOf(section.items)))];
}

/** The navigation with only the pages that `keep` accepts; groups and sections that get empty disappear. */
export function filterNavigation(navigation: Navigation, keep: (route: string) => boolean): Navigation {
    const filterItems = (all: readonly NavItem[]): NavItem[] =>
        all.flatMap((item): NavItem[] => {
            if (item.kind === "page") return keep(item.route) ? [item] : [];
            if (item.kind === "link") return [item];
            const items = filterItems(item.items);
            return items.length > 0 && (routesOf(items).length > 0 || routesOf(item.items).length === 0)
                ? [{ ...item, items }]
                : [];
        });
    return navigation
        .map((section) => ({ ...section, items: filterItems(section.items) }))
        .filter((section) => routesOf(section.items).length > 0);
}
