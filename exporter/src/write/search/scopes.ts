import { getOrMake } from "../../text/get-or-make.js";
import { type Division, type NavSection } from "../../plan/navigation/navigation.js";
import { isWhole, type Places } from "../../plan/navigation/places.js";
import { languageName } from "../../render/layout/switchers.js";

/** Pages that are searched together: the pages of one language, version and product. */
export interface SearchScope {
    readonly name: string;
    /** The divisions that define the scope, such as its language and version. */
    readonly path: readonly (readonly [kind: string, name: string])[];
    readonly language: string;
    /** The tabs, each with the number of its first page. */
    readonly tabs: [firstPage: number, tab: string][];
}

/** Divides a site's pages for its search, so that readers find pages in their own language and version. */
export class SearchScopes {
    readonly all: SearchScope[] = [];
    readonly #numbers = new Map<string, number>();

    /** @param routes of all pages, in reading order */
    constructor(
        private readonly places: Places,
        routes: readonly string[],
    ) {
        for (const [page, route] of routes.entries()) {
            const section = places.isListed(route) ? places.of(route)?.section : undefined;
            if (section !== undefined) {
                this.#add(section, page);
            }
        }
    }

    /** The scope of a page's search. */
    numberOf(route: string): number {
        const section = this.places.of(route)?.section;
        return section === undefined ? 0 : (this.#numbers.get(keyOf(section)) ?? 0);
    }

    /** The language and version of a page; undefined if its scope has neither. */
    filterFor(route: string): Readonly<Record<string, string>> | undefined {
        const path = this.all[this.numberOf(route)]?.path ?? [];
        const divisions = path.filter(([kind]) => kind === "language" || kind === "version");
        return divisions.length === 0 ? undefined : Object.fromEntries(divisions);
    }

    #add(section: NavSection, page: number): void {
        const number = getOrMake(this.#numbers, keyOf(section), () => {
            const whole = section.path.filter(isWhole);
            const name = whole.map(nameOf).join(" · ");
            const language = whole.find(({ kind }) => kind === "language")?.name ?? "en";
            const path = whole.map(({ kind, name: own }) => [kind, own] as const);
            return this.all.push({ name, path, language, tabs: [] }) - 1;
        });
        const { tabs } = this.all[number] as SearchScope;
        const tab = section.path.find((division) => !isWhole(division))?.name ?? "";
        if (tabs.at(-1)?.[1] !== tab) {
            tabs.push([page, tab]);
        }
    }
}

function keyOf({ path }: NavSection): string {
    return JSON.stringify(path.filter(isWhole).map(({ kind, name }) => [kind, name]));
}

function nameOf({ kind, name }: Division): string {
    return kind === "language" ? languageName(name) : name;
}
