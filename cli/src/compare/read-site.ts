import { readPrivateFiles } from "@pulumi-static-export/sdk";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { RE2JS } from "re2js";
import { type PageContent, readPage } from "./read-page.js";

/** A page of an exported site, without its text. */
export interface SitePage extends Omit<PageContent, "text"> {
    /** Of what the page says; equal for pages that say the same. */
    readonly digest: string;
}

/** An exported site, as far as two of them are compared. */
export interface Site {
    /** By file, such as `guides/start.html`. */
    readonly pages: ReadonlyMap<string, SitePage>;
    readonly files: ReadonlySet<string>;
    /** The files that not everybody may read. */
    readonly privateFiles: ReadonlySet<string>;
    /** Whether the server of the site is told to lead an address on, such as `/guides/old`. */
    redirects(address: string): boolean;
}

/** The exporter's redirects for nginx: `"/old" "/new";` and `"~^/old/(?<p1>.*)$" "/new/${p1}";`. */
const redirectsFile = "static-export/redirects.map";
const notFoundFile = "404.html";

/**
 * Reads the unpacked site in `folder`. Files that only look like pages, such as the one for unknown addresses, are none.
 *
 * @throws BundleError when its access.json is unusable
 */
export async function readSite(folder: string, signal?: AbortSignal): Promise<Site> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = new Set(
        entries
            .filter((entry) => entry.isFile())
            .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/")),
    );
    const pages = new Map<string, SitePage>();
    for (const file of [...files].sort()) {
        signal?.throwIfAborted();
        if (file.endsWith(".html") && file !== notFoundFile) {
            const { text, ...page } = readPage(await readFile(join(folder, file), "utf8"));
            // The exporter's copy in Markdown has the words alone; on the page, those of its neighbours stand too.
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

function readRedirects(map: string): Site["redirects"] {
    const sources = [...map.matchAll(/^"([^"]*)" "[^"]*";$/gm)].map(([, source = ""]) => source);
    const exact = new Set(sources.filter((source) => !source.startsWith("~")));
    // The site may be anybody's: an expression of theirs takes linear time here.
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
