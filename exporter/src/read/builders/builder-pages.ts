import { posix } from "node:path";
import { type FoundFiles } from "../files/found-files.js";
import { readFrontMatter } from "../front-matter/front-matter.js";
import { homeRoute, ownRouteOfFile } from "../files/routes.js";
import { byCodePoint } from "../files/sorted-files.js";

/** An entry of `navigation` in `docs.json`. */
export type Entry = string | { group: string; pages: Entry[]; root?: string; expanded?: boolean };

/** Finds the pages that another builder's settings name. */
export class BuilderPages {
    readonly #routes = new Map<string, string>();

    /** @param pages page files by route @param folder of the builder's pages in the site; empty for the site's own */
    constructor(
        private readonly pages: ReadonlyMap<string, string>,
        private readonly content: Pick<FoundFiles, "readText">,
        private readonly folder = "",
    ) {
        for (const [route, file] of pages) {
            for (const name of [route, ownRouteOfFile(file)]) {
                this.#routes.set(name, route);
                this.#routes.set(withoutNumbers(name), this.#routes.get(withoutNumbers(name)) ?? route);
            }
        }
    }

    /** The route of a page by its address, file or id. */
    find(name: string): string | undefined {
        const path = name
            .replace(/[?#].*$/, "")
            .replace(/\.(?:mdx?|html)$/i, "")
            .replace(/^\/+|\/+$/g, "");
        return [posix.join(this.folder, path), path]
            .map((each) => each.replace(/^\.$/, "") || homeRoute)
            .flatMap((each) => [each, posix.join(each, "index"), posix.join(each, "README")])
            .map((each) => this.#routes.get(each))
            .find((route) => route !== undefined);
    }

    /** The pages of a folder as the builder lists them without settings: by their order, and then by name. */
    below(folder: string, isLeftOut: (file: string) => boolean = () => false): Entry[] {
        const prefix = posix.join(this.folder, folder).replace(/^\.$/, "");
        const inside = prefix === "" ? "" : `${prefix.replace(/\/+$/, "")}/`;
        const entries = new Map<string, { order: number; entry: Entry }>();
        for (const [route, file] of [...this.pages].sort(([, a], [, b]) => byCodePoint(a, b))) {
            if (!file.startsWith(inside) || isLeftOut(file)) {
                continue;
            }
            const [name = "", ...deeper] = file.slice(inside.length).split("/");
            if (deeper.length === 0) {
                const { order = /^(?:index|readme)\./i.test(name) ? -1 : Number.MAX_VALUE } = this.#metaOf(file);
                entries.set(name, { order, entry: route });
            } else if (!entries.has(`${name}/`)) {
                const pages = this.below(posix.join(folder, name), isLeftOut);
                entries.set(`${name}/`, { order: Number.MAX_VALUE, entry: { group: humanName(name), pages } });
            }
        }
        return [...entries.values()].sort((one, other) => one.order - other.order).map(({ entry }) => entry);
    }

    #metaOf(file: string): { readonly order?: number } {
        return readFrontMatter(this.content.readText(file)).meta;
    }
}

/** Docusaurus leaves numbers at the beginning of names out of ids. */
function withoutNumbers(path: string): string {
    return path.replace(/(^|\/)\d+[-_. ]+(?=[^/])/g, "$1");
}

/** `getting-started` as "Getting started". */
export function humanName(name: string): string {
    const words = withoutNumbers(name).replace(/[-_]+/g, " ").trim();
    return words.charAt(0).toUpperCase() + words.slice(1);
}
