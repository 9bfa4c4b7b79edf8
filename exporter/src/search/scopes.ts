import { type Division, type NavSection } from "../navigation/navigation.js";
import { type Places } from "../navigation/places.js";
import { languageName } from "../layout/switchers.js";

/** Pages that are searched together: those of one language, version and product. */
export interface SearchScope {
    readonly name: string;
    readonly language: string;
    /** Where the pages of one tab begin, by the number of its first page. */
    readonly tabs: readonly (readonly [firstPage: number, tab: string])[];
}

interface OpenScope extends SearchScope {
    readonly tabs: [firstPage: number, tab: string][];
}

/** Divides a site's pages for its search, so that readers find pages in their own language and version. */
export class SearchScopes {
    readonly #places: Places;
    readonly #numbers = new Map<string, number>();
    readonly #keys = new Map<NavSection, string>();
    readonly #scopes: OpenScope[] = [];

    /** @param routes of all pages, in reading order */
    constructor(places: Places, routes: readonly string[]) {
        this.#places = places;
        for (const [page, route] of routes.entries()) {
            const section = places.isListed(route) ? places.of(route)?.section : undefined;
            if (section !== undefined) {
                this.#add(section, page);
            }
        }
    }

    get all(): readonly SearchScope[] {
        return this.#scopes;
    }

    /** Where the search of a page looks. */
    numberOf(route: string): number {
        const section = this.#places.of(route)?.section;
        return section === undefined ? 0 : (this.#numbers.get(this.#keyOf(section)) ?? 0);
    }

    #add(section: NavSection, page: number): void {
        const key = this.#keyOf(section);
        let number = this.#numbers.get(key);
        if (number === undefined) {
            number = this.#scopes.length;
            this.#numbers.set(key, number);
            const whole = section.path.filter(isWhole);
            this.#scopes.push({
                name: whole.map(nameOf).join(" · "),
                language: whole.find(({ kind }) => kind === "language")?.name ?? "en",
                tabs: [],
            });
        }
        const { tabs } = this.#scopes[number] as OpenScope;
        const tab = section.path.find((division) => !isWhole(division))?.name ?? "";
        if (tabs.at(-1)?.[1] !== tab) {
            tabs.push([page, tab]);
        }
    }

    #keyOf(section: NavSection): string {
        let key = this.#keys.get(section);
        if (key === undefined) {
            key = JSON.stringify(section.path.filter(isWhole).map(({ kind, name }) => [kind, name]));
            this.#keys.set(section, key);
        }
        return key;
    }
}

function isWhole({ kind }: Division): boolean {
    return kind === "language" || kind === "version" || kind === "product";
}

function nameOf({ kind, name }: Division): string {
    return kind === "language" ? languageName(name) : name;
}
