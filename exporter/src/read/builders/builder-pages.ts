import { posix } from "node:path";
import { type FoundFiles } from "../files/found-files.js";
import { type FrontMatter, readFrontMatter } from "../front-matter/front-matter.js";
import { homeRoute, ownRouteOfFile } from "../files/routes.js";
import { byCodePoint } from "../files/sorted-files.js";
import { iconSvg } from "../../html/icon-set.js";
import { getOrMake } from "../../text/get-or-make.js";
import { textOf } from "../../text/json-values.js";
import { humanize, withoutNumbers } from "../../text/strings.js";

/** An entry of `navigation` in `docs.json`. */
export type Entry = string | { group: string; pages: Entry[]; root?: string; expanded?: boolean };

/** A part of `docs.json`. */
export type Json = Readonly<Record<string, unknown>>;

type Page = readonly [route: string, file: string];

/** Finds the pages that another builder's settings name. */
export class BuilderPages {
    readonly #routes = new Map<string, string>();
    #sorted: readonly Page[] | undefined;
    #ids: ReadonlyMap<string, string> | undefined;

    /**
     * @param pages page files by route
     * @param folder the folder of the builder's pages in the site; empty for the site's own folder
     */
    constructor(
        private readonly pages: ReadonlyMap<string, string>,
        private readonly content: Pick<FoundFiles, "readText">,
        private readonly folder = "",
    ) {
        for (const [route, file] of pages) {
            for (const name of [route, ownRouteOfFile(file)]) {
                this.#routes.set(name, route);
                // Docusaurus omits the leading numbers of file names from ids.
                this.#routes.set(withoutNumbers(name), this.#routes.get(withoutNumbers(name)) ?? route);
                // The id of a page that docusaurus-openapi-docs has generated.
                const id = name.replace(/\.(?:api|info|tag|schema)$/, "");
                this.#routes.set(id, this.#routes.get(id) ?? route);
            }
        }
    }

    /** The route of a page by its address, file or id. */
    find(name: string): string | undefined {
        const path = name
            .normalize("NFC")
            .replace(/[?#].*$/, "")
            .replace(/\.(?:mdx?|html)$/i, "")
            .replace(/^\/+|\/+$/g, "");
        return [posix.join(this.folder, path), path]
            .map((each) => each.replace(/^\.$/, "") || homeRoute)
            .flatMap((each) => [each, posix.join(each, "index"), posix.join(each, "README")])
            .map((each) => this.#routes.get(each))
            .find((route) => route !== undefined);
    }

    /** The route of a Docusaurus page, whose front matter may replace the last part of the page's id. */
    findId(id: string): string | undefined {
        return this.find(id) ?? this.#writtenIds().get(posix.join(this.folder, id));
    }

    /**
     * Redirects from the addresses that front matter gives to pages: `slug` or `id` replaces the last part of the
     * route, or the whole route if the value begins with a slash.
     */
    redirects(): { source: string; destination: string }[] {
        return [...this.pages].flatMap(([route, file]) => {
            const { slug, id } = this.#metaOf(file).values ?? {};
            const written = [slug, id].find((each) => typeof each === "string");
            const name = typeof written === "string" ? written.replace(/\/+$/, "") : "";
            const around = name.startsWith("/") ? this.folder : withoutNumbers(posix.dirname(route));
            const address = posix.join(around, name).replace(/^\/+/, "");
            return name === "" || address.startsWith("..") || this.pages.has(address)
                ? []
                : [{ source: `/${address}`, destination: `/${route}` }];
        });
    }

    #writtenIds(): ReadonlyMap<string, string> {
        this.#ids ??= new Map(
            [...this.pages].flatMap(([route, file]) => {
                const { id } = this.#metaOf(file).values ?? {};
                const folder = withoutNumbers(posix.dirname(file));
                return id === undefined ? [] : [[posix.join(folder, String(id)), route]];
            }),
        );
        return this.#ids;
    }

    /**
     * Lists the pages of a folder as the builder does without settings: by their order, and then by name.
     * @param isLeftOut whether to leave out the file with this path in the builder's folder
     */
    below(folder: string, isLeftOut: (file: string) => boolean = () => false): Entry[] {
        const prefix = posix.join(this.folder, folder).replace(/^\.$/, "");
        const inside = prefix === "" ? "" : `${prefix.replace(/\/+$/, "")}/`;
        const ofSite = this.folder === "" ? 0 : this.folder.length + 1;
        this.#sorted ??= [...this.pages].sort(([, a], [, b]) => byCodePoint(a, b));
        const pages = this.#sorted.filter(([, file]) => file.startsWith(inside) && !isLeftOut(file.slice(ofSite)));
        return this.#entriesOf(pages, inside.length);
    }

    /** @param at the index in the pages' paths at which the names in the folder begin */
    #entriesOf(pages: readonly Page[], at: number): Entry[] {
        const byName = new Map<string, Page[]>();
        for (const page of pages) {
            const [, file] = page;
            const end = file.indexOf("/", at) + 1;
            getOrMake(byName, file.slice(at, end || undefined), () => []).push(page);
        }
        const entries = [...byName].map(([name, inside]) => {
            if (name.endsWith("/")) {
                const group = { group: humanize(name.slice(0, -1)), pages: this.#entriesOf(inside, at + name.length) };
                return { order: Number.MAX_VALUE, entry: group };
            }
            const [route, file] = inside.at(-1) as Page;
            const { order = /^(?:index|readme)\./i.test(name) ? -1 : Number.MAX_VALUE } = this.#metaOf(file);
            return { order, entry: route };
        });
        return entries.sort((one, other) => one.order - other.order).map(({ entry }) => entry);
    }

    /** A page's title, from the front matter or the first heading. */
    titleOf(route: string): string | undefined {
        const file = this.pages.get(route) ?? "";
        const heading = /^# +(\S.*)$/m
            .exec(this.content.readText(file))?.[1]
            ?.trim()
            .replace(/\{[^{}]*\}$/, "")
            .trim();
        return this.#metaOf(file).title ?? heading;
    }

    #metaOf(file: string): FrontMatter {
        return readFrontMatter(this.content.readText(file)).meta;
    }
}

/**
 * Returns the navigation of a site with several lists of pages, as tabs without duplicates; undefined if all lists are
 * empty.
 */
export function navigationOfTabs(tabs: readonly { readonly tab: string; readonly pages: Entry[] }[]): Json | undefined {
    const lists = new Map(tabs.toReversed().map((tab) => [JSON.stringify(tab.pages), tab]));
    const [first, ...others] = [...lists.values()].toReversed().filter(({ pages }) => pages.length > 0);
    return first && (others.length === 0 ? { pages: first.pages } : { tabs: [first, ...others] });
}

/** Icons of other builders whose names differ in the icon sets. */
const otherIcons: Readonly<Record<string, string>> = { x: "x-twitter", twitter: "x-twitter" };

/** An icon of the top bar, with its name for screen readers; the name alone if no set has the icon. */
export function socialLink(icon: unknown, href: unknown, label?: unknown): Json[] {
    if (typeof href !== "string") {
        return [];
    }
    const name = textOf(icon);
    const known = name && (otherIcons[name.toLowerCase()] ?? name);
    return known !== undefined && iconSvg(known, "fontawesome", "brands") !== undefined
        ? [{ icon: known, iconType: "brands", href }]
        : [{ label: textOf(label) ?? name ?? "Link", href }];
}
