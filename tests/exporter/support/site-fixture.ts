import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import assert from "node:assert/strict";
import { type BundleInfo } from "../../../exporter/src/index.js";
import { exportSite, type ExportSiteOptions } from "../../../exporter/src/write/export-site.js";
import { type ExportSiteResult } from "../../../exporter/src/write/write-site.js";

export type Files = Readonly<Record<string, string>>;

export interface ExportedSite extends ExportSiteResult {
    readonly outDir: string;
    /** Reads the text of an exported file. */
    readonly read: (file: string) => Promise<string>;
    /** Lists all exported files except the theme's files, sorted. */
    files(): Promise<string[]>;
    /** The text of all pages for the search, by the pages' numbers. */
    searchTexts(): Promise<Map<number, string>>;
}

/** Provides a temporary folder, and removes it afterwards. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), "site-"));
    try {
        return await use(folder);
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
}

export async function writeFiles(folder: string, files: Files): Promise<void> {
    for (const [file, content] of Object.entries(files)) {
        await mkdir(dirname(join(folder, file)), { recursive: true });
        await writeFile(join(folder, file), content);
    }
}

/** Lists all files below a folder, sorted, with `/` on every system. */
export async function listFiles(folder: string): Promise<string[]> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
        .sort();
}

/** Exports a site of the given files, and removes everything afterwards. */
export async function withExport(
    files: Files,
    use: (site: ExportedSite) => Promise<void> | void,
    options: Partial<ExportSiteOptions> = {},
): Promise<void> {
    await withFolder(async (folder) => {
        const sourceDir = join(folder, "site");
        const outDir = join(folder, "out");
        await mkdir(sourceDir);
        await writeFiles(sourceDir, files);
        const result = await exportSite({ sourceDir, outDir, domain: "docs.example.com", ...options });
        await use({
            ...result,
            outDir,
            read: (file) => readFile(join(outDir, file), "utf8"),
            files: async () => (await listFiles(outDir)).filter((file) => !file.startsWith("static-export/")),
            searchTexts: () => readSearchTexts(outDir),
        });
    });
}

async function readSearchTexts(outDir: string): Promise<Map<number, string>> {
    const texts = new Map<number, string>();
    for (const file of await listFiles(outDir)) {
        const [, page] = /^static-export\/search\/text\/(\d+)[-.]/.exec(file) ?? [];
        if (page !== undefined) {
            const text = await readFile(join(outDir, file), "utf8");
            texts.set(Number(page), (texts.get(Number(page)) ?? "") + text);
        }
    }
    return texts;
}

/** Exports a site with a single page, and returns the body of the page as HTML. */
export async function exportPage(file: string, source: string): Promise<string> {
    let html = "";
    await withExport({ [file]: source }, async (site) => {
        const page = await site.read(file.replace(/\.mdx?$/, ".html"));
        html = /<article[^>]*>\n([\s\S]*)\n<\/article>/.exec(page)?.[1] ?? "";
    });
    return html;
}

/** Exports a site, and returns the warnings as `file:line: reason`. */
export async function warningsOf(files: Files, options: Partial<ExportSiteOptions> = {}): Promise<string[]> {
    let found: string[] = [];
    await withExport(
        files,
        ({ warnings }) => {
            found = warnings.map(
                ({ file, line, reason }) => `${file}${line === undefined ? "" : `:${line}`}: ${reason}`,
            );
        },
        options,
    );
    return found;
}

/** Exports a site, and returns the message with which the export fails. */
export async function failureOf(files: Files, options: Partial<ExportSiteOptions> = {}): Promise<string> {
    try {
        await withExport(files, () => undefined, options);
    } catch (error) {
        return (error as Error).message;
    }
    return "no failure";
}

/** Returns the sidebar's links as `[address, text]`. */
export function sidebarOf(html: string): [string, string][] {
    const sidebar = /<nav class="sidebar"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? "";
    return [...sidebar.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>([^<]*)<\/a>/g)].map((match) => [
        match[1] ?? "",
        match[2] ?? "",
    ]);
}

type BundleOptions = Partial<ExportSiteOptions & { archivePath: string }>;
type BundleResult = ExportSiteResult & BundleInfo;

export interface RepeatedExports {
    readonly sourceDir: string;
    readonly cacheDir: string;
    /** Exports with the cache of the last export, and compares the bytes with an export without a cache. */
    readonly again: (
        options?: BundleOptions,
        freshOptions?: BundleOptions,
    ) => Promise<{ readonly kept: BundleResult; readonly fresh: BundleResult }>;
}

/** Provides a site with these files for repeated exports. */
export async function withRepeatedExports(
    files: Files,
    use: (exports: RepeatedExports) => Promise<void>,
): Promise<void> {
    await withFolder(async (folder) => {
        const sourceDir = join(folder, "site");
        const cacheDir = join(folder, "cache");
        const domain = "docs.example.com";
        await writeFiles(sourceDir, files);
        let count = 0;
        const again = async (options: BundleOptions = {}, freshOptions: BundleOptions = {}) => {
            const archivePath = join(folder, `${++count}.tar.gz`);
            const kept = await exportSite({ sourceDir, cacheDir, archivePath, domain, ...options });
            const fresh = await exportSite({ sourceDir, archivePath: `${archivePath}.fresh`, domain, ...freshOptions });
            assert.equal(kept.sha256, fresh.sha256);
            return { kept, fresh };
        };
        await use({ sourceDir, cacheDir, again });
    });
}
