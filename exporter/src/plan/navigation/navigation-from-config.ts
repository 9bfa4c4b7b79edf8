import { beginningOf } from "@pulumi-static-export/contract";
import { type DocsConfig } from "../../read/settings/docs-config.js";
import { defaultFolder } from "../../read/files/generated-routes.js";
import { isRecord, listOf, recordsOf, asRecord } from "../../text/json-values.js";
import { directoryOf, iconOf, pagesFolder, sourcesOf } from "../../read/settings/setting-values.js";
import { type AsyncChannel } from "../../api/asyncapi/async-document.js";
import { type ApiOperation } from "../../api/openapi/api-document.js";
import {
    type Division,
    type DivisionKind,
    filterNavigation,
    type NavGroup,
    type NavItem,
    type NavLink,
    type NavSection,
    routesOf,
    type WrittenNavigation,
    NavigationReaders,
} from "./navigation.js";
import { EntryPages, type PagesOfDocuments, endpoint } from "./entry-pages.js";
import { SiteError } from "../../problems/site-error.js";

/** Reads `navigation` of `docs.json`. Reports and skips entries without a target. */
export function readNavigation(
    config: DocsConfig,
    pages: ReadonlyMap<string, string>,
    made: PagesOfDocuments,
): WrittenNavigation {
    const root = Array.isArray(config.navigation) ? { groups: config.navigation as unknown[] } : config.navigation;
    if (!isRecord(root)) {
        throw new SiteError(config.file, undefined, "navigation must be an object with pages or groups");
    }
    const parser = new NavigationParser(new EntryPages(pages, made), made);
    const context: Context = {
        sources: config.settings.openapi ?? [],
        folder: config.settings.apiFolder ?? defaultFolder,
        generates: false,
        directory: undefined,
        isPublic: undefined,
    };
    const sections = parser.sections(root, [], context);
    const links = isRecord(root["global"]) ? parser.globalLinks(root["global"]) : [];
    parser.reportUnusedDocuments();
    return { navigation: { sections, links }, readers: parser.readers, problems: parser.pages.problems };
}

/** Settings that an entry inherits from the entries around it. */
interface Context {
    readonly sources: readonly string[];
    /** The folder for generated pages. */
    readonly folder: string;
    /** Whether an entry without pages includes all operations of the documents. */
    readonly generates: boolean;
    /** How the pages of groups list the groups' content. */
    readonly directory: NavGroup["directory"];
    /** The innermost `public` setting around an entry; undefined if there is none. */
    readonly isPublic: boolean | undefined;
}

class NavigationParser {
    readonly readers = new NavigationReaders();
    /** The entries that name OpenAPI documents. */
    readonly #entriesWithDocuments: { readonly entry: object; readonly sources: readonly string[] }[] = [];

    constructor(
        readonly pages: EntryPages,
        private readonly made: PagesOfDocuments,
    ) {}

    /** Nested divisions (a language's tabs) become sections whose paths begin with the same parts. */
    sections(node: Record<string, unknown>, path: readonly Division[], around: Context): NavSection[] {
        const context = this.#contextOf(node, around);
        const found: NavSection[] = [];
        for (const [key, kind] of divisions) {
            for (const entry of recordsOf(node[key])) {
                const division = this.#division(entry, kind);
                if (division === undefined) {
                    // Its pages are exported unlisted, for the readers that it names.
                    this.sections(entry, path, context);
                    continue;
                }
                const inner = [...path, division];
                // Reads hidden entries too, to generate pages for their operations, which are exported but not listed.
                const sections =
                    division.href === undefined ? this.sections(entry, inner, context) : [{ path: inner, items: [] }];
                found.push(...(entry["hidden"] === true ? [] : sections));
            }
        }
        const items = this.#items(node, context);
        if (items.length > 0 || (found.length === 0 && path.length === 0)) {
            return [{ path, items }, ...found];
        }
        return found;
    }

    /** Reports documents of whose operations no page exists, because the entry has pages that do not show them. */
    reportUnusedDocuments(): void {
        for (const { entry, sources } of this.#entriesWithDocuments) {
            for (const source of sources) {
                const operations = this.made.api.subjects([source]).filter(({ isHidden }) => !isHidden);
                if (operations.length > 0 && !this.made.pages.haveAny(operations)) {
                    this.pages.report(entry, `no page shows an operation of ${source}: ${howToShow}`);
                }
            }
        }
    }

    globalLinks(node: Record<string, unknown>): NavLink[] {
        return divisions.flatMap(([key, kind]) =>
            recordsOf(node[key]).flatMap((entry): NavLink[] => {
                const title = this.#name(entry, kind);
                const { href, hidden } = entry;
                return title === undefined || typeof href !== "string" || hidden === true
                    ? []
                    : [{ kind: "link", title, href, ...iconOf(entry) }];
            }),
        );
    }

    #division(entry: Record<string, unknown>, kind: DivisionKind): Division | undefined {
        const name = this.#name(entry, kind);
        if (name === undefined) {
            return undefined;
        }
        const { href, description, tag } = entry;
        const isLink = typeof href === "string" && !hasContent(entry);
        return {
            kind,
            name,
            ...iconOf(entry),
            ...(typeof description === "string" && { description }),
            ...(typeof tag === "string" && { tag }),
            ...(entry["default"] === true && { isDefault: true }),
            ...(isLink && { href }),
        };
    }

    #items(node: Record<string, unknown>, context: Context): NavItem[] {
        const pages = listOf(node["pages"]);
        const groups = listOf(node["groups"]);
        const items = [...pages, ...groups].flatMap((entry) => this.#item(entry, node, context));
        const listed = new Set(routesOf(items));
        const made = [...this.#operations(node, [...pages, ...groups], context), ...this.#channels(node, context)];
        const others = { sections: [{ path: [], items: made }], links: [] };
        const { sections } = filterNavigation(others, (route) => !listed.has(route));
        return [...items, ...sections.flatMap((section) => section.items)];
    }

    #operations(node: Record<string, unknown>, entries: readonly unknown[], context: Context): NavItem[] {
        // Generated pages in a folder follow the group's own pages, unless the group's pages name operations.
        const isForAll = directoryOf(node["openapi"]) !== undefined && !namesEndpoint(entries);
        const isForNothingElse = entries.length === 0 && !hasContent(node);
        return context.generates && (isForAll || isForNothingElse)
            ? this.#itemsOf(this.made.api.subjects(context.sources), context)
            : [];
    }

    /** The folder for the pages of an entry's documents. */
    #folderOf(entry: Record<string, unknown>, key: "openapi" | "asyncapi", { folder: around }: Context): string {
        const report = (_: string, reason: string) => void this.pages.report(entry, reason);
        return pagesFolder(entry[key], key, report) ?? around;
    }

    #channels(entry: Record<string, unknown>, context: Context): NavItem[] {
        const { channels } = this.made;
        const { asyncapi } = entry;
        const sources = sourcesOf(asyncapi);
        channels.addSources(sources);
        this.readers.addDocuments(sources, context.isPublic);
        return this.#itemsOf(channels.subjects(sources), {
            ...context,
            folder: this.#folderOf(entry, "asyncapi", context),
        });
    }

    #itemsOf(subjects: readonly (ApiOperation | AsyncChannel)[], { folder, isPublic }: Context): NavItem[] {
        return this.made.pages.groupsOf(subjects, folder).flatMap(({ title, routes }): NavItem[] => {
            const items = routes.map((route): NavItem => ({ kind: "page", route: this.readers.add(route, isPublic) }));
            return title === undefined ? items : [{ kind: "group", title, expanded: false, items }];
        });
    }

    #item(entry: unknown, node: object, context: Context): NavItem[] {
        if (typeof entry === "string") {
            const route = this.#routeOf(entry, context);
            return route === undefined ? [] : [{ kind: "page", route: this.readers.add(route, context.isPublic) }];
        }
        if (!isRecord(entry)) {
            return this.pages.report(node, "an entry of navigation is neither a page nor a group");
        }
        const title = this.#name(entry, "group");
        const inner = this.#contextOf(entry, context);
        const items = this.#items(entry, { ...inner, generates: entry["openapi"] !== undefined });
        const root = typeof entry["root"] === "string" ? this.#routeOf(entry["root"], inner) : undefined;
        if (root !== undefined) {
            this.readers.add(root, inner.isPublic);
        }
        if (entry["hidden"] === true) {
            return []; // It was read for its operations, like a hidden tab.
        }
        if (title === undefined) {
            return items;
        }
        const tag = entry["tag"];
        return items.length === 0 && root === undefined
            ? []
            : [
                  {
                      kind: "group",
                      title,
                      expanded: entry["expanded"] === true,
                      items,
                      ...iconOf(entry),
                      ...(typeof tag === "string" && { tag }),
                      ...(root !== undefined && { root }),
                      ...(root !== undefined && inner.directory !== undefined && { directory: inner.directory }),
                  },
              ];
    }

    #routeOf(entry: string, { sources, folder }: Context): string | undefined {
        return this.pages.routeOf(entry, sources, folder);
    }

    #name(record: Record<string, unknown>, key: string): string | undefined {
        const value = record[key];
        if (typeof value === "string" && value !== "") {
            return value;
        }
        // The pages of a group without a name follow the preceding pages.
        if (key === "group" && value === "") {
            return undefined;
        }
        this.pages.report(record, `an entry of navigation has no ${key}: ${beginningOf(JSON.stringify(record), 80)}`);
        return undefined;
    }

    #contextOf(node: Record<string, unknown>, around: Context): Context {
        const { openapi } = node;
        for (const [key, what] of notSupported) {
            if (node[key] !== undefined) {
                this.pages.report(node, `${key} is not supported: ${what} are not generated`);
            }
        }
        const listing = node["directory"];
        const directory = listing === "accordion" || listing === "card" ? listing : around.directory;
        const inherited = {
            ...around,
            directory: listing === "none" ? undefined : directory,
            isPublic: this.readers.ofEntry(node, around.isPublic),
        };
        if (openapi === undefined || openapi === null) {
            return { ...inherited, generates: false };
        }
        const sources = sourcesOf(openapi);
        this.#entriesWithDocuments.push({ entry: node, sources });
        this.made.api.addSources(sources);
        this.readers.addDocuments(sources, inherited.isPublic);
        return { ...inherited, sources, folder: this.#folderOf(node, "openapi", around), generates: true };
    }
}

const howToShow = 'add operations such as "GET /pets" to pages, or name the document on a group without pages';

/** Keys of divisions and groups that the platform supports, but exports do not. */
const notSupported = [
    ["graphql", "its pages"],
    ["sdk", "the pages of its reference"],
] as const;

/** The keys with which `docs.json` can divide a site, and the key that names one entry of each division. */
const divisions: readonly (readonly [string, DivisionKind])[] = [
    ["languages", "language"],
    ["versions", "version"],
    ["products", "product"],
    ["tabs", "tab"],
    ["anchors", "anchor"],
    ["dropdowns", "dropdown"],
    ["menu", "item"],
];

/** Whether any of the entries, at any depth, is an operation. */
function namesEndpoint(entries: readonly unknown[]): boolean {
    return entries.some((entry) => {
        if (typeof entry === "string") {
            return endpoint.test(entry);
        }
        const { openapi, pages } = asRecord(entry);
        return openapi !== undefined || (Array.isArray(pages) && namesEndpoint(pages));
    });
}

/** Whether an entry has pages or groups, however it is divided. An empty list does not count. */
function hasContent(entry: Record<string, unknown>): boolean {
    return ["pages", "groups", ...divisions.map(([key]) => key)].some((key) => listOf(entry[key]).length > 0);
}
