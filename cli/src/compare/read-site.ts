import { readPrivateFiles } from "@pulumi-static-export/sdk";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { RE2JS } from "re2js";
import { type PageContent, readPage } from "./read-page.js";

/** A page of an exported site, without its text. */
export interface PageOnDisk extends Omit<PageContent, "text"> {
    /** A digest of the page's content, which is equal for pages with the same content. */
    readonly digest: string;
}

/** The parts of an exported site that a comparison needs. */
export interface ComparedSite {
    /** The pages by file, such as `guides/start.html`. */
    readonly pages: ReadonlyMap<string, PageOnDisk>;
    readonly files: ReadonlySet<string>;
    /** The files that only certain readers may see. */
    readonly privateFiles: ReadonlySet<string>;
    /** Whether the site has a redirect for an address, such as `/guides/old`. */
    redirects(address: string): boolean;
}

/** The exporter's redirects for nginx: `"/old" "/new";` and `"~^/old/(?<p1>.*)$" "/new/${p1}";`. */
const redirectsFile = "static-export/redirects.map";
const notFoundFile = "404.html";

/**
 * Reads the unpacked site in `folder`. Excludes files that only look like pages, such as the one for unknown addresses.
 *
 * @throws BundleError when its access.json is unusable
 */
export async function readSite(folder: string, signal?: AbortSignal): Promise<ComparedSite> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = new Set(
        entries
            .filter((entry) => entry.isFile())
            .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/")),
    );
    const pages = new Map<string, PageOnDisk>();
    for (const file of [...files].sort()) {
        signal?.throwIfAborted();
        if (file.endsWith(".html") && file !== notFoundFile) {
            const { text, ...page } = readPage(await readFile(join(folder, file), "utf8"));
            // Uses the exporter's Markdown copy, which contains only the page's own text: the page also contains the
            // titles of its neighbours.
            const copy = file.replace(/\.html$/, ".md");
            const content = files.has(copy) ? await readFile(join(folder, copy), "utf8") : text;
            pages.set(file, { ...page, digest: createHash("sha256").update(content).digest("hex") });
        }
    }
    const map = files.has(redirectsFile) ? await readFile(join(folder, redirectsFile), "utf8") : "";
    const privateFiles = new Set<string>();
    for await (const file of readPrivateFiles(folder)) {
        privateFiles.add(file);
    }
    return { pages, files, privateFiles, redirects: readRedirects(map) };
}

function readRedirects(map: string): ComparedSite["redirects"] {
    const sources = [...map.matchAll(/^"([^"]*)" "[^"]*";$/gm)].map(([, source = ""]) => source);
    const exact = new Set(sources.filter((source) => !source.startsWith("~")));
    // The site is untrusted, so its patterns must run in linear time.
    const patterns = sources.filter((source) => source.startsWith("~")).flatMap((source) => compile(source.slice(1)));
    return (address) => exact.has(address) || patterns.some((pattern) => pattern.matcher(address).find());
}

function compile(expression: string): RE2JS[] {
    try {
        return [RE2JS.compile(expression)];
    } catch {
        return [];
    }
}
