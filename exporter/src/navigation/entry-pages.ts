import { homeRoute, isReadme, routeOfFile } from "../files/routes.js";
import { type SiteApi } from "../openapi/document/site-api.js";
import { type DocsConfig } from "../settings/docs-config.js";
import { lineOfText } from "../text/line-of-text.js";
import { MissingPages, type NavigationProblem } from "./missing-pages.js";
import { endpoint } from "./navigation-entry.js";

/** Finds the pages that entries of a navigation name, and reports entries that name none. */
export class EntryPages {
    readonly #missing = new MissingPages();
    readonly #problems: NavigationProblem[] = [];

    constructor(
        private readonly config: DocsConfig,
        private readonly pages: ReadonlyMap<string, string>,
        private readonly api: SiteApi,
    ) {}

    get problems(): NavigationProblem[] {
        return [...this.#missing.problems, ...this.#problems];
    }

    report(reason: string): [] {
        this.#problems.push({ kind: "navigation", reason, line: undefined });
        return [];
    }

    /** @param sources documents that may have the operation that an entry names @param folder for the page of one */
    routeOf(entry: string, sources: readonly string[], folder: string): string | undefined {
        const page = entry
            .trim()
            .replace(/^\/+|\/+$/g, "")
            .replace(/\.mdx?$/i, "");
        const candidates = [page, routeOfFile(`${page}.md`), ...(isReadme(`${page}.md`) ? this.#readmes(page) : [])];
        const route = candidates.find((candidate) => this.pages.has(candidate));
        if (route !== undefined) {
            return route;
        }
        const problem = (reason: string) => {
            const line = lineOfText(this.config.source, JSON.stringify(entry));
            return { kind: "navigation" as const, file: this.config.file, line, reason };
        };
        if (endpoint.test(entry)) {
            return this.api.operation(entry, sources, folder, () =>
                problem(`navigation names the endpoint "${entry}", but no OpenAPI document has it`),
            );
        }
        const reason = `navigation names the page "${entry}", but there is no ${page}.md or ${page}.mdx`;
        this.#missing.add(page, problem(reason));
        return undefined;
    }

    /** The folder's README in upper or lower case, otherwise the folder's page. */
    #readmes(page: string): string[] {
        const lower = page.toLowerCase();
        const routes = [...this.pages.keys()].filter((route) => route.toLowerCase() === lower);
        return [...routes, page.replace(/\/?readme$/i, "") || homeRoute];
    }
}
