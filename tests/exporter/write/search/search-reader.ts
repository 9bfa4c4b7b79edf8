import { readFile } from "node:fs/promises";
import { createContext, runInContext } from "node:vm";
import { withExport, type Files } from "../../support/site-fixture.js";
import { type ExportSiteOptions } from "../../../../exporter/src/write/export-site.js";

export interface Hit {
    readonly page: string;
    readonly id: string;
    readonly title: string;
    readonly heading: string;
    readonly tab: string;
    readonly terms: ReadonlySet<string>;
}

interface Found {
    readonly hits: Hit[];
    readonly total: number;
    more(from: number): Promise<Hit[]>;
}

export interface SearchIndex {
    open(): Promise<{ readonly names: string[]; readonly tabs: [number, string][]; readonly terms: string[] }>;
    find(query: string, options: { max: number; tab?: string }): Promise<Found>;
}

interface SearchWindow {
    staticExportSearchIndex?: (load: (name: string, isFresh?: boolean) => Promise<void>, scope: number) => SearchIndex;
    staticExportWords?: (text: string) => { term: string; from: number; to: number }[];
}

export interface SearchReader {
    readonly index: SearchIndex;
    /** The loaded files, without their extension. */
    readonly loaded: string[];
    /** Returns the addresses of the first hits. */
    readonly find: (query: string, tab?: string) => Promise<string[]>;
}

/** Runs the theme's search as a browser does, but without showing results. */
export async function searchWindow(): Promise<{ window: Required<SearchWindow>; run: (script: string) => void }> {
    const window: SearchWindow = {};
    const context = createContext(Object.assign(window, { window }));
    const run = (script: string) => void runInContext(script, context);
    run(await readFile(new URL("../../../../exporter/dist/bundled/search-index.mjs", import.meta.url), "utf8"));
    return { window: window as Required<SearchWindow>, run };
}

/** @param read returns a file of the export, past all caches if the second argument is true */
export async function openSearch(
    read: (file: string, isFresh: boolean) => Promise<string>,
    scope = 0,
): Promise<SearchReader> {
    const { window, run } = await searchWindow();
    const loaded: string[] = [];
    const index = window.staticExportSearchIndex(async (name, isFresh = false) => {
        loaded.push(name);
        run(await read(`static-export/search/${name}.js`, isFresh));
    }, scope);
    const find = async (query: string, tab?: string) => {
        const { hits } = await index.find(query, { max: 10, ...(tab !== undefined && { tab }) });
        return Array.from(hits, ({ page, id }) => (id === "" ? page : `${page}#${id}`));
    };
    return { index, loaded, find };
}

/** Exports a site and searches it. */
export async function withSearch(
    files: Files,
    use: (search: SearchReader) => Promise<void>,
    { scope, ...options }: Partial<ExportSiteOptions> & { scope?: number } = {},
): Promise<void> {
    await withExport(files, async ({ read }) => use(await openSearch(read, scope)), options);
}
