import { createHash } from "node:crypto";
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

/** Collects the files of an exported site, in any order, without keeping their contents. */
export class SiteCollector {
    readonly #files = new Set<string>();
    readonly #pages = new Map<string, PageOnDisk>();
    /** The digests of Markdown copies, by page. */
    readonly #copies = new Map<string, string>();
    #redirects = "";

    /** Whether `add` needs the content of a file. Files that only look like pages are excluded. */
    needs(file: string): boolean {
        return (file.endsWith(".html") && file !== notFoundFile) || file.endsWith(".md") || file === redirectsFile;
    }

    add(file: string, content = ""): void {
        this.#files.add(file);
        if (!this.needs(file)) {
            return;
        }
        if (file === redirectsFile) {
            this.#redirects = content;
        } else if (file.endsWith(".md")) {
            this.#copies.set(file.replace(/\.md$/, ".html"), digestOf(content));
        } else {
            const { text, ...page } = readPage(content);
            this.#pages.set(file, { ...page, digest: digestOf(text) });
        }
    }

    finish(privateFiles: ReadonlySet<string>): ComparedSite {
        const pages = new Map(
            [...this.#pages]
                .sort(([one], [other]) => (one < other ? -1 : 1))
                // Uses the exporter's Markdown copy, which contains only the page's own text: the page also contains
                // the titles of its neighbours.
                .map(([file, page]) => [file, { ...page, digest: this.#copies.get(file) ?? page.digest }]),
        );
        return { pages, files: this.#files, privateFiles, redirects: readRedirects(this.#redirects) };
    }
}

function digestOf(text: string): string {
    return createHash("sha256").update(text).digest("hex");
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
