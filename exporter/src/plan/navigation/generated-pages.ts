import { getOrMake } from "../../text/get-or-make.js";
import { slug } from "github-slugger";
import { type ListedPart } from "../../api/documents/parse-document.js";
import { type WrittenPages } from "./written-pages.js";

/** The pages that are generated from documents: routes without a file, each with its subject. */
export class GeneratedPages<P extends ListedPart & { readonly document: object }> {
    readonly all = new Map<string, P>();

    /**
     * @param files the page files by route
     * @param written the pages that files describe
     */
    constructor(
        private readonly files: ReadonlyMap<string, string>,
        private readonly written: WrittenPages<P>,
    ) {}

    /**
     * Returns the route that the document sets, or a route built from the tag and the name, with a number if another
     * page has the same route.
     */
    routeOf(part: P, folder: string): string {
        const { route: stated } = part;
        if (stated !== undefined && this.files.has(stated)) {
            return stated; // The page that a file describes.
        }
        const wanted = stated ?? routeBelow(folder, part);
        if (this.written.routesOf(part).includes(wanted)) {
            return wanted;
        }
        for (let count = 1; ; count += 1) {
            const route = count === 1 ? wanted : `${wanted}-${count}`;
            const known = this.all.get(route);
            if (known === part) {
                return route;
            }
            if (known === undefined && !this.files.has(route)) {
                this.all.set(route, part);
                return route;
            }
        }
    }

    /** The pages of parts, in the order in which their groups first occur. */
    groupsOf(parts: readonly P[], folder: string): GeneratedGroup[] {
        const groups = new Map<string | undefined, string[]>();
        for (const part of parts.filter(({ isHidden }) => !isHidden)) {
            const route = this.written.routeIn(folder, part) ?? this.routeOf(part, folder);
            getOrMake(groups, part.group, () => []).push(route);
        }
        return [...groups].map(([title, routes]) => ({ title, routes }));
    }
}

/** The pages of one group in the navigation; the group has no title if the surrounding entries already show it. */
export interface GeneratedGroup {
    readonly title: string | undefined;
    readonly routes: readonly string[];
}

function routeBelow(folder: string, { tag, names }: ListedPart): string {
    const slugs = names.map((name) => slug(name.replaceAll("/", " ")).replace(/-{2,}/g, "-"));
    const name = slugs.find((each) => each !== "");
    return [folder, slug(tag), name].filter((part) => part !== "").join("/");
}
