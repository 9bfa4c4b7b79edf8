import { getOrMake } from "../../text/get-or-make.js";
import { slug } from "github-slugger";

/** The pages that are made of documents: the routes of those that no file has, and what each is about. */
export class MadePages<T> {
    readonly all = new Map<string, T>();

    /** @param files those of pages by route */
    constructor(private readonly files: ReadonlyMap<string, string>) {}

    /** The route that is wanted, or that route with a number where another page has it. */
    routeOf(subject: T, wanted: string): string {
        for (let count = 1; ; count += 1) {
            const route = count === 1 ? wanted : `${wanted}-${count}`;
            const known = this.all.get(route);
            if (known === subject) {
                return route;
            }
            if (known === undefined && !this.files.has(route)) {
                this.all.set(route, subject);
                return route;
            }
        }
    }

    isFile(route: string): boolean {
        return this.files.has(route);
    }
}

/** Pages with a title in the navigation, or without one where they stand among those around them. */
export interface MadeGroup {
    readonly title: string | undefined;
    readonly routes: readonly string[];
}

/** Routes by the titles of their groups, in the order in which the titles come first. */
export function groupRoutes(found: readonly (readonly [title: string, route: string])[]): MadeGroup[] {
    const groups = new Map<string, string[]>();
    for (const [title, route] of found) {
        getOrMake(groups, title, () => []).push(route);
    }
    return [...groups].map(([title, routes]) => ({ title: title === "" ? undefined : title, routes }));
}

/** A route in a folder, by a tag and a title; undefined where the title has no letters for it. */
export function routeBelow(folder: string, tag: string, title: string): string | undefined {
    const name = slug(title.replaceAll("/", " ")).replace(/-{2,}/g, "-");
    return name === "" ? undefined : [folder, slug(tag), name].filter((part) => part !== "").join("/");
}
