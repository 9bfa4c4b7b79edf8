import { getOrMake } from "../../text/get-or-make.js";
import { homeRoute } from "../../read/files/routes.js";
import { pagesBelow, routesOf, type Division, type NavGroup, type Navigation, type NavSection } from "./navigation.js";

/** Where a page is in the navigation. */
export interface Place {
    readonly section: NavSection;
    /** The groups around the page, outermost first. */
    readonly groups: readonly NavGroup[];
}

/** One level at which the site is divided, as it looks from one section. */
export interface Level {
    readonly kind: Division["kind"];
    readonly choices: readonly Choice[];
    /** The choice that the section belongs to. */
    readonly current: Choice;
}

export interface Choice {
    readonly division: Division;
    /** Everything below the choice. */
    readonly sections: readonly NavSection[];
}

/** Answers where pages stand and what else there is beside them. */
export class Places {
    readonly #places = new Map<string, Place>();
    readonly #levels = new Map<NavSection, readonly Level[]>();
    readonly #routes = new Map<NavSection, readonly string[]>();
    readonly #branches = new Map<
        Division,
        { readonly routes: ReadonlySet<string>; readonly prefix: readonly string[] }
    >();

    constructor(private readonly navigation: Navigation) {
        for (const section of navigation.sections) {
            for (const { route, groups } of pagesBelow(section.items)) {
                getOrMake(this.#places, route, () => ({ section, groups }));
            }
        }
    }

    get count(): number {
        return this.#places.size;
    }

    /** A page that the navigation does not list is shown with the first section beside it. */
    of(route: string): Place | undefined {
        const section = this.navigation.sections.find(({ items }) => items.length > 0);
        return this.#places.get(route) ?? (section && { section, groups: [] });
    }

    /** The number of the section beside a page; -1 for a site whose navigation lists nothing. */
    sectionOf(route: string): number {
        const place = this.of(route);
        return place === undefined ? -1 : this.navigation.sections.indexOf(place.section);
    }

    /** Whether readers go from one page to the other without changing the language, the version or the product. */
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

    /** The page to which a choice leads: the same page in another version or language, else its first one. */
    targetOf(choice: Choice, level: Level, route: string): string | undefined {
        const hasSame = level.kind === "language" || level.kind === "version";
        const same = hasSame ? this.samePage(choice, level, route) : undefined;
        return same ?? choice.sections.map((section) => this.routesOf(section)[0]).find((first) => first !== undefined);
    }

    /** The page of another version or language whose address differs only in the folder of that version. */
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

/** Search and the links to the page before and after stay within a choice of language, version or product. */
export function isWhole({ kind }: Division): boolean {
    return kind === "language" || kind === "version" || kind === "product";
}

function segmentsOf(route: string): string[] {
    return route === homeRoute ? [] : route.split("/");
}

/** The folder that all routes are in; a folder's own page counts as one of them. */
function commonFolder(routes: readonly string[]): string[] {
    const [first = [], ...others] = routes.map(segmentsOf);
    if (others.length === 0) {
        return first.slice(0, -1);
    }
    const end = first.findIndex((segment, at) => others.some((segments) => segments[at] !== segment));
    return end === -1 ? first : first.slice(0, end);
}
