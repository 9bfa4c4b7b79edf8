import { type NavItem, type NavSection } from "../../plan/navigation/navigation.js";
import { type Places } from "../../plan/navigation/places.js";
import { type SitePage } from "../../plan/site-page.js";
import { escapeHtml } from "../../text/html-text.js";
import { homeRoute } from "../../read/files/routes.js";
import { additionsOf, entriesOfGroup } from "./additions.js";
import { type LongList, LongLists, piecesOfList } from "./long-lists.js";
import { NavEntries, type NavEntriesOptions } from "./nav-entries.js";
import { type PageLink } from "../layout/page-view.js";
import { Sidebar } from "./sidebar.js";

/** Groups that a script unfolds look the same as other groups. */
export const styleOfCutLists =
    ".sidebar>ul>.group>details>summary{margin:0 0 .35rem;padding:0 .75rem;font-weight:600;list-style:disclosure-closed inside}" +
    ".sidebar>ul>.group>details[open]>summary{list-style-type:disclosure-open}";

/** A link with its name as HTML, or a group with its name and entries. */
type SectionEntry = readonly [href: string, name: string] | readonly [name: string, entries: readonly SectionEntry[]];

/** A page that shows one part of a long list. */
interface ListPage {
    readonly page: SitePage;
    readonly html: string;
    /** The names of the groups around the list. */
    readonly group: readonly string[];
    readonly previous: PageLink | undefined;
    readonly next: PageLink | undefined;
}

/** The list next to a page, for readers who may read more than the public pages. */
interface ListForReaders {
    readonly list: string;
    readonly file?: string;
}

/**
 * Writes the lists of pages: the lists next to pages, and the omitted parts, as one file per section for scripts and as
 * pages for readers without scripts.
 */
export class PageLists {
    readonly sidebar: Sidebar;
    private readonly places: Places;
    private readonly entries: NavEntries;
    private readonly longLists: LongLists;

    /** @param folder for the omitted parts of lists */
    constructor(options: NavEntriesOptions, folder: string) {
        this.places = options.places;
        this.entries = new NavEntries(options);
        this.longLists = new LongLists(this.places, folder);
        this.sidebar = new Sidebar({ ...options, entries: this.entries, longLists: this.longLists });
    }

    /** Whether any page has an incomplete list. */
    get areCut(): boolean {
        return this.#cutSections.length > 0;
    }

    isCutFor(route: string): boolean {
        const section = this.places.of(route)?.section;
        return section !== undefined && this.longLists.isLarge(section);
    }

    /**
     * The list next to a page. For a large section, this list contains only the additions to the public pages, and
     * `file` contains all of the section's entries.
     */
    seenFrom(route: string, isPublic: (route: string) => boolean): ListForReaders {
        const section = this.places.of(route)?.section;
        if (section === undefined || !this.longLists.isLarge(section)) {
            return { list: this.sidebar.links(route) };
        }
        const list = additionsOf(section.items, { isPublic, entries: this.entries, from: route });
        return { list, file: this.longLists.fileOf(section) };
    }

    /** All entries of sections, for the script that unfolds lists; addresses are relative to the site's root. */
    *files(): Generator<readonly [file: string, content: string]> {
        for (const section of this.#cutSections) {
            const entries = this.#entriesOf(section.items);
            yield [this.longLists.fileOf(section), `staticExportList(${JSON.stringify(entries)});\n`];
        }
    }

    /** The pages that show long lists. */
    *pages(): Generator<ListPage> {
        for (const section of this.#cutSections) {
            for (const list of this.longLists.in(section).values()) {
                yield* this.#pagesOf(section, list);
            }
        }
    }

    get #cutSections(): readonly NavSection[] {
        return this.places.sections.filter((section) => this.longLists.isLarge(section));
    }

    #entriesOf(items: readonly NavItem[]): SectionEntry[] {
        return items.flatMap((item): SectionEntry[] => {
            if (item.kind !== "group") {
                const entry = this.entries.of(item, homeRoute);
                return entry === undefined ? [] : [[entry.href, entry.name]];
            }
            return [[this.entries.groupName(item, homeRoute), this.#entriesOf(entriesOfGroup(item))]];
        });
    }

    *#pagesOf(section: NavSection, list: LongList): Generator<ListPage> {
        const pieces = piecesOfList(list).map((items, at) => {
            return { ...pageOfList(this.longLists.routeOf(section, list, at), this.#nameOf(items)), items };
        });
        const all = pageOfList(this.longLists.routeOf(section, list), this.#nameOf(list.items));
        const group = list.groups.map(({ title }) => title);
        const linkTo = (page: SitePage | undefined, { route: from }: SitePage): PageLink | undefined =>
            page && { href: this.entries.href(from, page.route), title: page.title };
        for (const [at, { items, ...page }] of pieces.entries()) {
            this.places.add(page.route, { section, groups: list.groups });
            const up = pieces.length === 1 ? "" : `<p>${linkHtml(linkTo(all, page))}</p>\n`;
            const html = `${up}<ul>${items.map((item) => this.#entryHtml(item, page.route)).join("")}</ul>`;
            yield { page, html, group, previous: linkTo(pieces[at - 1], page), next: linkTo(pieces[at + 1], page) };
        }
        if (pieces.length > 1) {
            this.places.add(all.route, { section, groups: list.groups });
            const links = pieces.map((piece) => `<li>${linkHtml(linkTo(piece, all))}</li>`);
            yield { page: all, html: `<ul>${links.join("")}</ul>`, group, previous: undefined, next: undefined };
        }
    }

    #nameOf(items: readonly NavItem[]): string {
        return this.entries.textOfRow(items[0] as NavItem, items.at(-1) as NavItem);
    }

    #entryHtml(item: NavItem, from: string): string {
        const entry = this.entries.of(item, from);
        return entry === undefined ? "" : `<li><a href="${escapeHtml(entry.href)}">${entry.name}</a></li>`;
    }
}

function linkHtml(link: PageLink | undefined): string {
    return link === undefined ? "" : `<a href="${link.href}">${escapeHtml(link.title)}</a>`;
}

function pageOfList(route: string, title: string): SitePage {
    return {
        route,
        title,
        label: title,
        file: "",
        source: "",
        hasSource: false,
        meta: {},
        problems: [],
        subject: undefined,
        cacheKey: "",
    };
}
