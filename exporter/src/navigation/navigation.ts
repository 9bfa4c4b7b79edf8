import { type WithIcon } from "../settings/icon-of.js";

/** A page, a link to elsewhere, or a group of both, as the sidebar lists them. */
export type NavItem = NavPage | NavLink | NavGroup;

export interface NavPage {
    readonly kind: "page";
    readonly route: string;
}

export interface NavLink extends WithIcon {
    readonly kind: "link";
    readonly title: string;
    readonly href: string;
}

export interface NavGroup extends WithIcon {
    readonly kind: "group";
    readonly title: string;
    /** Whether a nested group starts open; the group of the page one reads is always open. */
    readonly expanded: boolean;
    readonly items: readonly NavItem[];
    readonly tag?: string;
    /** The page that the group's title leads to. */
    readonly root?: string;
    /** How that page lists what the group holds, if it does. */
    readonly directory?: "accordion" | "card";
}

export type DivisionKind = "language" | "version" | "product" | "tab" | "anchor" | "dropdown" | "item";

/** One choice at one level of a site that is divided, such as the tab "Guides" or the language "fr". */
export interface Division extends WithIcon {
    readonly kind: DivisionKind;
    readonly name: string;
    readonly description?: string;
    /** A version's or a product's mark, such as "Latest". */
    readonly tag?: string;
    /** The choice for readers who have not made one. */
    readonly isDefault?: boolean;
    /** Where the choice leads instead of to pages of its own. */
    readonly href?: string;
}

/** A part of the site with a sidebar of its own, and the choices that lead to it, outermost first. */
export interface NavSection {
    readonly path: readonly Division[];
    readonly items: readonly NavItem[];
}

export interface Navigation {
    readonly sections: readonly NavSection[];
    /** Links that every page shows. */
    readonly links: readonly NavLink[];
}

/** The routes below the given items in reading order, each once. */
export function routesOf(items: readonly NavItem[]): string[] {
    const routes = new Set<string>();
    const collect = (item: NavItem): void => {
        if (item.kind === "page") {
            routes.add(item.route);
        } else if (item.kind === "group") {
            if (item.root !== undefined) {
                routes.add(item.root);
            }
            item.items.forEach(collect);
        }
    };
    items.forEach(collect);
    return [...routes];
}

export function routesOfNavigation(navigation: Navigation): string[] {
    return [...new Set(navigation.sections.flatMap((section) => routesOf(section.items)))];
}

/** The navigation with only the pages that `keep` accepts; groups and sections that get empty disappear. */
export function filterNavigation(navigation: Navigation, keep: (route: string) => boolean): Navigation {
    const filterItems = (all: readonly NavItem[]): NavItem[] =>
        all.flatMap((item): NavItem[] => {
            if (item.kind === "page") {
                return keep(item.route) ? [item] : [];
            }
            if (item.kind === "link") {
                return [item];
            }
            const items = filterItems(item.items);
            const { root, ...group } = item;
            const kept = root !== undefined && keep(root) ? { root } : {};
            const leads = items.length > 0 && (routesOf(items).length > 0 || routesOf(item.items).length === 0);
            return leads || "root" in kept ? [{ ...group, ...kept, items }] : [];
        });
    const sections = navigation.sections
        .map((section) => ({ ...section, items: filterItems(section.items) }))
        .filter((section) => routesOf(section.items).length > 0 || section.path.at(-1)?.href !== undefined);
    return { ...navigation, sections };
}

/** The navigation with only the links, and the divisions that are links, that `keep` accepts; groups that get empty disappear. */
export function filterLinks(navigation: Navigation, keep: (href: string) => boolean): Navigation {
    const filterItems = (items: readonly NavItem[]): NavItem[] =>
        items.flatMap((item): NavItem[] => {
            if (item.kind !== "group") {
                return item.kind === "page" || keep(item.href) ? [item] : [];
            }
            const kept = filterItems(item.items);
            const isEmptied = kept.length === 0 && item.items.length > 0 && item.root === undefined;
            return isEmptied ? [] : [{ ...item, items: kept }];
        });
    return {
        sections: navigation.sections
            .filter(({ path }) => path.every(({ href }) => href === undefined || keep(href)))
            .map((section) => ({ ...section, items: filterItems(section.items) })),
        links: navigation.links.filter(({ href }) => keep(href)),
    };
}
