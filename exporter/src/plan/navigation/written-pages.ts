import { getOrMake } from "../../text/get-or-make.js";

/** Finds the part that a page describes, in the document of any part; undefined if it is not in that document. */
export type FindSubject<P> = (other: P) => P | undefined;

/** The pages of parts that files describe, wherever the files are. */
export class WrittenPages<P extends { readonly document: object }> {
    readonly #routes = new Map<object, Map<P, string[]>>();
    readonly #listed = new Map<P, { readonly route: string; readonly folder: string }>();
    readonly #taken = new Set<string>();
    #pages: readonly (readonly [route: string, find: FindSubject<P>])[] | undefined;

    /** @param read the pages that describe parts, by route; called on first use, because it reads all files */
    constructor(private readonly read: () => Iterable<readonly [route: string, find: FindSubject<P>]>) {}

    routesOf(part: P): readonly string[] {
        this.#pages ??= [...this.read()];
        const pages = this.#pages;
        const ofDocument = getOrMake(this.#routes, part.document, () => {
            const found = new Map<P, string[]>();
            for (const [route, find] of pages) {
                const subject = find(part);
                if (subject !== undefined) {
                    getOrMake(found, subject, () => []).push(route);
                }
            }
            return found;
        });
        return ofDocument.get(part) ?? [];
    }

    /**
     * The page of a part for the list of a folder. The list of a second folder, for example for another language or
     * version, does not contain the page.
     */
    routeIn(folder: string, part: P): string | undefined {
        const listed = this.#listed.get(part);
        if (listed !== undefined) {
            return listed.folder === folder ? listed.route : undefined;
        }
        const routes = this.routesOf(part).filter((route) => !this.#taken.has(route));
        const route = routes.find((each) => each.startsWith(`${folder}/`)) ?? routes[0];
        if (route !== undefined) {
            this.#listed.set(part, { route, folder });
            this.#taken.add(route);
        }
        return route;
    }
}
