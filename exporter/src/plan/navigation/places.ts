import { getOrMake } from "../../text/get-or-make.js";
import { homeRoute } from "../../read/files/routes.js";
import { pagesBelow, routesOf, type Division, type NavGroup, type Navigation, type NavSection } from "./navigation.js";

/** The place of a page in the navigation. */
export interface Place {
    readonly section: NavSection;
    /** The groups around the page, outermost first. */
    readonly groups: readonly NavGroup[];
}

/** One division of the site, such as its languages, versions or tabs, as a section's switcher shows it. */
export interface Level {
    readonly kind: Division["kind"];
    readonly choices: readonly Choice[];
    /** The choice that contains the section. */
    readonly current: Choice;
}

export interface Choice {
    readonly division: Division;
    /** All pages and links below the choice. */
    readonly sections: readonly NavSection[];
}

/** Finds the places of pages in the navigation, and their neighbours. */
export class Places {
    readonly #places = new Map<string, Place>();
    readonly #others = new Map<string, Place>();
    readonly #levels = new Map<NavSection, readonly Level[]>();
    readonly #routes = new Map<NavSection, readonly string[]>();
    readonly #branches = new Map<
        Division,
        { readonly routes: ReadonlySet<string>; readonly prefix: readonly string[] }
    >();

    constructor(private readonly navigation: Navigation) {
        for (const section of navigation.sections) {
            // Neighbours share a place to save memory, because a site has many pages.
            let place: Place = { section, groups: [] };
            for (const { route, groups } of pagesBelow(section.items)) {
                place = place.groups === groups ? place : { section, groups };
                getOrMake(this.#places, route, () => place);
            }
        }
    }

    get count(): number {
        return this.#places.size;
    }

    /** A page that is not in the navigation is shown with the first section. */
    of(route: string): Place | undefined {
        const section = this.navigation.sections.find(({ items }) => items.length > 0);
        return this.#places.get(route) ?? this.#others.get(route) ?? (section && { section, groups: [] });
    }

    /** The number of the section that is shown with a page; -1 if the navigation is empty. */
    sectionOf(route: string): number {
        const place = this.of(route);
        return place === undefined ? -1 : this.numberOf(place.section);
    }

    /** The number of a section in the navigation. */
    numberOf(section: NavSection): number {
        return this.navigation.sections.indexOf(section);
    }

    get sections(): readonly NavSection[] {
        return this.navigation.sections;
    }

    /** Assigns a place to a page that is not in the navigation. */
    add(route: string, place: Place): void {
        this.#others.set(route, place);
    }

    /** Whether both pages have the same language, version and product. */
    areTogether(route: string, other: string): boolean {
        const [own, others] = [route, other].map((page) => this.#places.get(page)?.section.path.filter(isWhole));
        return own?.length === others?.length && own?.every((division, at) => division === others?.[at]) === true;
    }

    isListed(route: string): boolean {
        return this.#places.has(route);
    }

    routesOf(section: NavSection): readonly string[] {
        return getOrMake(this.#routes, section, () => routesOf(section.items));
    }

    levelsOf(section: NavSection): readonly Level[] {
        return getOrMake(this.#levels, section, () =>
            section.path.map((current, depth) => this.#level(section, current, depth)),
        );
    }

    /** The target of a choice: the same page in another version or language, or else the choice's first page. */
    targetOf(choice: Choice, level: Level, route: string): string | undefined {
        const hasSame = level.kind === "language" || level.kind === "version";
        const same = hasSame ? this.samePage(choice, level, route) : undefined;
        return same ?? choice.sections.map((section) => this.routesOf(section)[0]).find((first) => first !== undefined);
    }

    /** The page of another version or language whose address differs only in the folder of the version or language. */
    samePage(choice: Choice, { current }: Level, route: string): string | undefined {
        const from = this.#branch(current);
        const to = this.#branch(choice);
        if (!from.routes.has(route)) {
            return undefined;
        }
        const candidate = [...to.prefix, ...segmentsOf(route).slice(from.prefix.length)].join("/") || homeRoute;
        return to.routes.has(candidate) ? candidate : undefined;
    }

    #branch({ division, sections }: Choice) {
        return getOrMake(this.#branches, division, () => {
            const routes = sections.flatMap((section) => this.routesOf(section));
            return { routes: new Set(routes), prefix: commonFolder(routes) };
        });
    }

    #level({ path }: NavSection, current: Division, depth: number): Level {
        const before = path.slice(0, depth);
        const beside = this.navigation.sections.filter(
            (other) => other.path.length > depth && before.every((division, at) => other.path[at] === division),
        );
        const byDivision = new Map<Division, NavSection[]>();
        for (const section of beside) {
            const division = section.path[depth] as Division;
            if (division.kind === current.kind) {
                getOrMake(byDivision, division, () => []).push(section);
            }
        }
        const choices = [...byDivision].map(([division, sections]) => ({ division, sections }));
        return { kind: current.kind, choices, current: choices.find(({ division }) => division === current) as Choice };
    }
}

/** Search, previous and next stay within one language, version and product. */
export function isWhole({ kind }: Division): boolean {
    return kind === "language" || kind === "version" || kind === "product";
}

function segmentsOf(route: string): string[] {
    return route === homeRoute ? [] : route.split("/");
}

/** The folder that contains all routes; a folder's own page is inside the folder. */
function commonFolder(routes: readonly string[]): string[] {
    const [first = [], ...others] = routes.map(segmentsOf);
    if (others.length === 0) {
        return first.slice(0, -1);
    }
    const end = first.findIndex((segment, at) => others.some((segments) => segments[at] !== segment));
    return end === -1 ? first : first.slice(0, end);
}
