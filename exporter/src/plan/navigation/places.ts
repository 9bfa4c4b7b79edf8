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
    readonly #branches = new Map<Division, Branch>();

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
        return same ?? this.#startOf(choice);
    }

    /** Whether a choice leads from a page to the start of another version or language, because that lacks the page. */
    lacksPage(choice: Choice, level: Level, route: string): boolean {
        const isOther = choice !== level.current && choice.division.href === undefined;
        const hasSame = level.kind === "language" || level.kind === "version";
        const isStart = route === this.#startOf(level.current);
        return isOther && hasSame && !isStart && this.samePage(choice, level, route) === undefined;
    }

    #startOf({ sections }: Choice): string | undefined {
        return sections.map((section) => this.routesOf(section)[0]).find((first) => first !== undefined);
    }

    /**
     * The page of another version or language whose address differs only in the folder of the version or language. A
     * page is the same as only one other page, so that the menu of each leads to the other.
     */
    samePage(choice: Choice, { current }: Level, route: string): string | undefined {
        const from = this.#branch(current);
        const to = this.#branch(choice);
        const same = from.routes.has(route) ? counterpart(route, from, to) : undefined;
        return same !== undefined && counterpart(same, to, from) === route ? same : undefined;
    }

    #branch({ division, sections }: Choice): Branch {
        return getOrMake(this.#branches, division, () => {
            const routes = sections.flatMap((section) => this.routesOf(section));
            return { name: division.name, routes: new Set(routes), folder: commonFolder(routes) };
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

/** The pages of a version or language. */
interface Branch {
    readonly name: string;
    readonly routes: ReadonlySet<string>;
    /** The folder that contains all pages. The folder of the version or language is one of the folders around it. */
    readonly folder: readonly string[];
}

/**
 * Finds the page whose address has the longest common rest after the folder of its version or language. Partial
 * translations may consist of a single folder, so that the folder around their pages says little.
 */
function counterpart(route: string, from: Branch, to: Branch): string | undefined {
    const segments = segmentsOf(route);
    const starts = foldersOf(to, [to.name]);
    for (const { length } of foldersOf(from, segments)) {
        const rest = segments.slice(length);
        const candidates = starts.map((start) => [...start, ...rest].join("/") || homeRoute);
        const found = candidates.find((candidate) => to.routes.has(candidate));
        if (found !== undefined) {
            return found;
        }
    }
    return undefined;
}

/** The folders that may be the folder of the version or language, outermost first. */
function foldersOf({ name, folder }: Branch, path: readonly string[]): string[][] {
    const around = folder.map((_, at) => folder.slice(0, at + 1));
    const named = path[0]?.toLowerCase() === name.toLowerCase() && folder.length === 0 ? [path.slice(0, 1)] : [];
    return [[], ...around, ...named];
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
