import { type FoundWarning } from "../../problems/warning-log.js";
import { type WithIcon } from "../../read/settings/setting-values.js";
import { type AnchorLink } from "../links/anchor-check.js";
import { readPublic } from "../../read/readers/readers-settings.js";

/** A page, an external link, or a group of both, as listed in the sidebar. */
export type NavItem = NavPage | NavLink | NavGroup;

export interface NavPage {
    readonly kind: "page";
    readonly route: string;
    /** The name of this entry, if it is not the page's own. */
    readonly label?: string;
    /** The part of the page that the entry links to. */
    readonly anchor?: string;
}

export interface NavLink extends WithIcon {
    readonly kind: "link";
    readonly title: string;
    readonly href: string;
}

export interface NavGroup extends WithIcon {
    readonly kind: "group";
    readonly title: string;
    /** Whether a nested group starts open; the current page's group is always open. */
    readonly expanded: boolean;
    readonly items: readonly NavItem[];
    readonly tag?: string;
    /** The page that the group's title links to. */
    readonly root?: string;
    /** How the group's page lists the group's content; undefined if the page does not list it. */
    readonly directory?: "accordion" | "card";
}

export type DivisionKind = "language" | "version" | "product" | "tab" | "anchor" | "dropdown" | "item";

/** One option at one level of a divided site, such as the tab "Guides" or the language "fr". */
export interface Division extends WithIcon {
    readonly kind: DivisionKind;
    readonly name: string;
    readonly description?: string;
    /** The label of a version or a product, such as "Latest". */
    readonly tag?: string;
    /** Whether readers see this choice until they select another. */
    readonly isDefault?: boolean;
    /** The link target of a choice that has no pages. */
    readonly href?: string;
}

/** A part of the site with its own sidebar, and the choices that select this part, outermost first. */
export interface NavSection {
    readonly path: readonly Division[];
    readonly items: readonly NavItem[];
}

export interface Navigation {
    readonly sections: readonly NavSection[];
    /** Links that every page shows. */
    readonly links: readonly NavLink[];
}

/** The navigation, as the files of the site describe it. */
export interface WrittenNavigation {
    readonly navigation: Navigation;
    /** The readers of pages; undefined if no setting restricts the readers. */
    readonly readers?: NavigationReaders;
    /** The names of pages in the navigation, by route; pages without one are named by their own text. */
    readonly labels?: ReadonlyMap<string, string>;
    /** The links of the navigation to parts of pages. */
    readonly anchors?: readonly AnchorLink[];
    readonly problems: readonly FoundWarning[];
}

/** The pages below the given items in reading order, each with the groups around it, outermost first. */
export function* pagesBelow(
    items: readonly NavItem[],
    around: readonly NavGroup[] = [],
): Generator<{ readonly route: string; readonly groups: readonly NavGroup[] }> {
    for (const item of items) {
        if (item.kind === "page") {
            yield { route: item.route, groups: around };
        } else if (item.kind === "group") {
            const groups = [...around, item];
            if (item.root !== undefined) {
                yield { route: item.root, groups };
            }
            yield* pagesBelow(item.items, groups);
        }
    }
}

/** Whether there is any page below the given items. */
function havePages(items: readonly NavItem[]): boolean {
    return pagesBelow(items).next().done !== true;
}

/** The routes below the given items in reading order, without duplicates. */
export function routesOf(items: readonly NavItem[]): string[] {
    return [...new Set([...pagesBelow(items)].map(({ route }) => route))];
}

export function routesOfNavigation(navigation: Navigation): string[] {
    return routesOf(navigation.sections.flatMap((section) => section.items));
}

/**
 * The navigation with only the accepted pages and links. Removes empty groups and sections, and groups with nothing but
 * links.
 */
export function filterNavigation(
    navigation: Navigation,
    keepsPage: (route: string) => boolean,
    keepsLink: (href: string) => boolean = () => true,
): Navigation {
    const keepsDivision = ({ href }: Division) => href === undefined || keepsLink(href);
    const filterItems = (all: readonly NavItem[]): NavItem[] =>
        all.flatMap((item): NavItem[] => {
            if (item.kind !== "group") {
                return (item.kind === "page" ? keepsPage(item.route) : keepsLink(item.href)) ? [item] : [];
            }
            const items = filterItems(item.items);
            const { root, ...group } = item;
            if (root !== undefined && keepsPage(root)) {
                return [{ ...item, items }];
            }
            const leads = items.length > 0 && (havePages(items) || !havePages(item.items));
            return leads ? [{ ...group, items }] : [];
        });
    const sections = navigation.sections
        .filter(({ path }) => path.every(keepsDivision))
        .map((section) => ({ ...section, items: filterItems(section.items) }))
        .filter((section) => havePages(section.items) || section.path.at(-1)?.href !== undefined);
    return { sections, links: navigation.links.filter(({ href }) => keepsLink(href)) };
}

/** The readers that `public` in a navigation allows, collected while other code reads the navigation. */
export class NavigationReaders {
    /**
     * Whether pages are public, by route, each from the innermost entry around the page. A page in several entries is
     * public only if all these entries are public.
     */
    readonly isPublic = new Map<string, boolean>();
    /** Whether documents are public, by their names in the navigation. */
    readonly isPublicDocument = new Map<string, boolean>();
    /** Whether `public: true` occurs outside of private entries: then the rest of the site needs a login. */
    needsLogin = false;

    /** Whether an entry is public: its own setting, or else the setting of the entries around it. */
    ofEntry(entry: Readonly<Record<string, unknown>>, around: boolean | undefined): boolean | undefined {
        const own = readPublic(entry["public"]);
        this.needsLogin ||= own === true && around === undefined;
        return own ?? around;
    }

    /** @returns the route @param isPublic the value of the entry that lists the page */
    add(route: string, isPublic: boolean | undefined): string {
        narrow(this.isPublic, route, isPublic);
        return route;
    }

    addDocuments(sources: readonly string[], isPublic: boolean | undefined): void {
        sources.forEach((source) => narrow(this.isPublicDocument, source, isPublic));
    }
}

function narrow(all: Map<string, boolean>, name: string, isPublic: boolean | undefined): void {
    if (isPublic !== undefined) {
        all.set(name, isPublic && all.get(name) !== false);
    }
}
