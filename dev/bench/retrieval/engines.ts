import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { type AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ExportedSite, FolderFiles } from "@pulumi-static-export/answer";
import { cacheFolder, run } from "@pulumi-static-export/toolchain";
import { type ExportedPage } from "./exported-pages.js";

/** The paths of pages found for a query, best first; a page may occur several times. */
type Search = (query: string) => Promise<string[]>;

export interface Engine {
    readonly name: string;
    /** @param site the folder of the export @param pages the exported pages */
    readonly open: (site: string, pages: readonly ExportedPage[]) => Promise<{ search: Search; close?: () => void }>;
}

/**
 * Installs the engines unless an earlier run has done so, outside the repository, because they are not in its lock file.
 *
 * @returns the folder that contains node_modules
 */
async function installed(): Promise<string> {
    const manifest = fileURLToPath(new URL("engines/package.json", import.meta.url));
    const digest = createHash("sha256")
        .update(await readFile(manifest))
        .digest("hex");
    const parent = join(cacheFolder(), "bench-retrieval");
    const folder = join(parent, digest.slice(0, 12));
    if (existsSync(folder)) {
        return folder;
    }
    await mkdir(parent, { recursive: true });
    const unfinished = await mkdtemp(join(parent, "unfinished-"));
    try {
        await cp(manifest, join(unfinished, "package.json"));
        await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: unfinished });
        await rename(unfinished, folder);
    } finally {
        await rm(unfinished, { recursive: true, force: true });
    }
    return folder;
}

async function load<T>(module: string): Promise<T> {
    const require = createRequire(join(await installed(), "package.json"));
    return (await import(pathToFileURL(require.resolve(module)).href)) as T;
}

const ours: Engine = {
    name: "this project",
    async open(site, pages) {
        const exported = await ExportedSite.open(new FolderFiles(site));
        const known = new Set(pages.map(({ path }) => path));
        return {
            search: async (query) =>
                (await exported.search({ query, max: 20 }))
                    .map(({ path }) => path.replace(/#.*/, ""))
                    .filter((path) => known.has(path)),
        };
    },
};

/** Pagefind's command indexes the article of each page, and its script searches the index over HTTP. */
const pagefind: Engine = {
    name: "Pagefind",
    async open(site, pages) {
        const known = new Set(pages.map(({ path }) => path));
        const command = join(await installed(), "node_modules/.bin/pagefind");
        await run(command, ["--site", site, "--root-selector", "article", "--quiet"]);
        const server = createServer((request, response) => {
            const { pathname } = new URL(request.url ?? "/", "http://localhost");
            readFile(join(site, decodeURIComponent(pathname))).then(
                (content) => response.end(content),
                () => response.writeHead(404).end(),
            );
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        interface Pagefind {
            options(options: object): Promise<void>;
            search(query: string): Promise<{ results: { data(): Promise<{ url: string }> }[] } | null>;
        }
        const script = pathToFileURL(join(site, "pagefind/pagefind.js")).href;
        const engine = (await import(script)) as Pagefind;
        await engine.options({ basePath: `${address}/pagefind/`, baseUrl: "/" });
        return {
            close: () => {
                server.closeAllConnections();
                server.close();
            },
            search: async (query) => {
                const results = (await engine.search(query))?.results ?? [];
                const found = await Promise.all(results.slice(0, 20).map((result) => result.data()));
                return found.map(({ url }) => pathOf(url)).filter((path) => known.has(path));
            },
        };
    },
};

/** Returns the sections of pages, as sites give them to engines that do not index HTML. */
function sectionsOf(pages: readonly ExportedPage[]) {
    return pages.flatMap(({ path, title, sections }) =>
        sections.map(({ id, heading, text }) => ({
            id: `${path}#${id}#${heading}`,
            path,
            title: heading === "" ? title : heading,
            titles: heading === "" ? "" : title,
            text,
        })),
    );
}

interface MiniSearchModule {
    readonly default: new (options: object) => {
        addAll(documents: readonly object[]): void;
        search(query: string): { path: string }[];
    };
}

/** Uses MiniSearch with the settings of VitePress. */
const miniSearch: Engine = {
    name: "MiniSearch",
    async open(_, pages) {
        const { default: MiniSearch } = await load<MiniSearchModule>("minisearch");
        const engine = new MiniSearch({
            fields: ["title", "titles", "text"],
            storeFields: ["path"],
            searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
        });
        const seen = new Map(sectionsOf(pages).map((section) => [section.id, section]));
        engine.addAll([...seen.values()]);
        return { search: (query) => Promise.resolve(engine.search(query).map(({ path }) => path)) };
    },
};

/** Indexes a document for each section, with the engine's default settings. */
const orama: Engine = {
    name: "Orama",
    async open(_, pages) {
        interface OramaModule {
            create(options: object): object;
            insertMultiple(database: object, documents: readonly object[]): Promise<unknown>;
            search(database: object, query: object): Promise<{ hits: { document: { path: string } }[] }>;
        }
        const { create, insertMultiple, search } = await load<OramaModule>("@orama/orama");
        const database = create({ schema: { title: "string", titles: "string", text: "string" } });
        await insertMultiple(
            database,
            sectionsOf(pages).map(({ id: _id, ...section }) => section),
        );
        return {
            search: async (term) =>
                (await search(database, { term, limit: 50 })).hits.map(({ document }) => document.path),
        };
    },
};

export const engines: readonly Engine[] = [ours, pagefind, miniSearch, orama];

function pathOf(url: string): string {
    const path = decodeURI(url)
        .replace(/(?:\/?index)?\.html$/, "")
        .replace(/\/$/, "");
    return path === "" ? "/" : path;
}
