import { trimSlashes } from "@pulumi-static-export/contract";
import { homeRoute, isReadme, routeOfFile } from "../../read/files/routes.js";
import { type AsyncChannel, type AsyncDocument } from "../../api/asyncapi/async-document.js";
import { type ApiDocument, type ApiOperation, operationNamed } from "../../api/openapi/api-document.js";
import { type GeneratedPages } from "./generated-pages.js";
import { type SiteDocuments } from "../../api/documents/site-documents.js";
import { type FoundWarning } from "../../problems/warning-log.js";
import { nearestRoute } from "../links/nearest-route.js";

/** The maximum number of missing pages that one warning names. */
const maxNamed = 3;
/** The maximum number of missing pages that are looked up in another folder. */
const maxCompared = 20;

/** `POST /pets`, optionally after the document. */
export const endpoint = /(?:^|\s)(?:get|post|put|patch|delete|options|head|trace|query|webhook)\s+\S/i;

/** The documents of a site, and the pages that are generated from them. */
export interface PagesOfDocuments {
    readonly api: SiteDocuments<ApiOperation, ApiDocument>;
    readonly channels: SiteDocuments<AsyncChannel, AsyncDocument>;
    readonly pages: GeneratedPages<ApiOperation | AsyncChannel>;
}

/** Finds the pages that navigation entries name, and reports entries without a page. */
export class EntryPages {
    readonly #missing = new Set<string>();
    readonly #ofMissing: FoundWarning[] = [];
    readonly #others: FoundWarning[] = [];

    constructor(
        private readonly pages: ReadonlyMap<string, string>,
        private readonly made: PagesOfDocuments,
    ) {}

    /**
     * Reports missing pages first. If several pages are missing, a summary precedes the warnings about single pages.
     */
    get problems(): FoundWarning[] {
        const [first] = this.#ofMissing;
        const { size } = this.#missing;
        const named = [...this.#missing].slice(0, maxNamed).join(", ") + (size > maxNamed ? " and others" : "");
        const reason = `navigation names ${size} pages that do not exist, so readers do not get them: ${named}${this.#elsewhere()}`;
        return [...(first && size > 1 ? [{ ...first, reason }] : []), ...this.#ofMissing, ...this.#others];
    }

    /** Names the folder that contains all missing pages, for example after the site has moved to another builder. */
    #elsewhere(): string {
        const [first = ""] = this.#missing;
        const folders = [...this.pages.keys()]
            .filter((route) => route.endsWith(`/${first}`))
            .map((route) => route.slice(0, -first.length - 1));
        const folder = folders.find((each) =>
            [...this.#missing].slice(0, maxCompared).every((page) => this.pages.has(`${each}/${page}`)),
        );
        return folder === undefined
            ? ""
            : `. The folder ${folder} has these pages: move the settings there, and export that folder`;
    }

    /** @param entry of the navigation */
    report(entry: object, reason: string): [] {
        this.#others.push({ kind: "navigation", setting: { entry }, reason });
        return [];
    }

    /** @param sources documents that may contain the entry's operation @param folder the folder for generated pages */
    routeOf(entry: string, sources: readonly string[], folder: string): string | undefined {
        const page = trimSlashes(entry.normalize("NFC").trim()).replace(/\.mdx?$/i, "");
        const candidates = [page, routeOfFile(`${page}.md`), ...(isReadme(`${page}.md`) ? this.#readmes(page) : [])];
        const route = candidates.find((candidate) => this.pages.has(candidate));
        if (route !== undefined) {
            return route;
        }
        const problem = (reason: string): FoundWarning => ({ kind: "navigation", setting: { value: entry }, reason });
        if (endpoint.test(entry)) {
            const operation = this.made.api.find(operationNamed(entry), { page: "", around: sources }, () =>
                problem(`navigation names the endpoint "${entry}", but no OpenAPI document contains it`),
            );
            return operation && this.made.pages.routeOf(operation, folder);
        }
        this.#missing.add(page);
        const meant = nearestRoute(page, this.pages);
        const advice = meant === undefined ? "" : `: did you mean "${meant}"?`;
        this.#ofMissing.push(
            problem(`navigation names the page "${entry}", but there is no ${page}.md or ${page}.mdx${advice}`),
        );
        return undefined;
    }

    /** Returns the folder's README in upper or lower case, or else the folder's page. */
    #readmes(page: string): string[] {
        const lower = page.toLowerCase();
        const routes = [...this.pages.keys()].filter((route) => route.toLowerCase() === lower);
        return [...routes, page.replace(/\/?readme$/i, "") || homeRoute];
    }
}
