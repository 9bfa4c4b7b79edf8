import { configFile, isRecord, type DocsConfig } from "./docs-config.js";
import { routesOf, type NavItem, type Navigation, type NavSection } from "./navigation.js";
import { routeOfFile } from "./routes.js";
import { SiteError } from "./site-error.js";

/** The ways in which `docs.json` can divide a site, and the key that names one part. */
const divisions = [
    ["languages", "language"],
    ["versions", "version"],
    ["products", "product"],
    ["tabs", "tab"],
    ["anchors", "anchor"],
    ["dropdowns", "dropdown"],
    ["menu", "item"],
] as const;

/** Reads `navigation` of `docs.json`. An entry without a page is an error: its readers would find nothing there. */
export function readNavigation(config: DocsConfig, pages: ReadonlyMap<string, string>): Navigation {
    const reader = new NavigationReader(config.source, pages);
    const root = Array.isArray(config.navigation) ? { groups: config.navigation as unknown[] } : config.navigation;
    if (!isRecord(root))
        throw new SiteError(configFile, undefined, "navigation must be an object with pages or groups");
    return reader.sections(root, "").filter((section) => section.items.length > 0);
}

class NavigationReader {
    constructor(
        private readonly source: string,
        private readonly pages: ReadonlyMap<string, string>,
    ) {}

    /** Divisions in divisions (a language's tabs) become sections side by side. */
    sections(node: Record<string, unknown>, title: string): NavSection[] {
        for (const [key, nameKey] of divisions) {
            const parts = node[key];
            if (!Array.isArray(parts)) continue;
            return parts.filter(isRecord).flatMap((part): NavSection[] => {
                if (part["hidden"] === true) return [];
                const name = this.text(part, nameKey);
                const fullTitle = title === "" ? name : `${title}: ${name}`;
                if (typeof part["href"] === "string" && !hasContent(part)) {
                    return [{ title: fullTitle, items: [{ kind: "link", title: name, href: part["href"] }] }];
                }
                return this.sections(part, fullTitle);
            });
        }
        return [{ title, items: this.items(node) }];
    }

    private items(node: Record<string, unknown>): NavItem[] {
        const groups: unknown[] = Array.isArray(node["groups"]) ? (node["groups"] as unknown[]) : [];
        const pages: unknown[] = Array.isArray(node["pages"]) ? (node["pages"] as unknown[]) : [];
        return [...pages, ...groups].flatMap((entry) => this.item(entry));
    }

    private item(entry: unknown): NavItem[] {
        if (typeof entry === "string") return [{ kind: "page", route: this.route(entry) }];
        if (!isRecord(entry))
            throw new SiteError(configFile, undefined, "an entry of navigation is neither a page nor a group");
        if (entry["hidden"] === true) return [];
        const title = this.text(entry, "group");
        const items = this.items(entry);
        const root = typeof entry["root"] === "string" ? this.route(entry["root"]) : undefined;
        if (root !== undefined && !routesOf(items).includes(root)) items.unshift({ kind: "page", route: root });
        return items.length === 0 ? [] : [{ kind: "group", title, expanded: entry["expanded"] === true, items }];
    }

    private route(entry: string): string {
        const page = entry.replace(/^\/+|\/+$/g, "").replace(/\.mdx?$/i, "");
        const route = [page, routeOfFile(`${page}.md`)].find((candidate) => this.pages.has(candidate));
        if (route !== undefined) return route;
        const readme = page.replace(/\/?readme$/i, "") || "index";
        if (/(^|\/)readme$/i.test(page) && this.pages.has(readme)) return readme;
        const reason = /^[A-Z]+ \//.test(entry)
            ? `navigation names the endpoint "${entry}", but pages made from an OpenAPI document are not supported`
            : `navigation names the page "${entry}", but there is no ${page}.md or ${page}.mdx`;
        throw new SiteError(configFile, this.lineOf(entry), reason);
    }

    private text(record: Record<string, unknown>, key: string): string {
        const value = record[key];
        if (typeof value === "string" && value !== "") return value;
        throw new SiteError(
            configFile,
            undefined,
            `an entry of navigation has no ${key}: ${JSON.stringify(record).slice(0, 80)}`,
        );
    }

    private lineOf(entry: string): number | undefined {
        const at = this.source.indexOf(JSON.stringify(entry));
        return at === -1 ? undefined : this.source.slice(0, at).split("\n").length;
    }
}

function hasContent(part: Record<string, unknown>): boolean {
    return ["pages", "groups", ...divisions.map(([key]) => key)].some((key) => Array.isArray(part[key]));
}
