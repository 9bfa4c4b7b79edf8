import { createHash } from "node:crypto";
import { RE2JS } from "re2js";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { attribute, elementsIn } from "./page-elements.js";

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
    return (address) => {
        const sent = encodeURI(address.toWellFormed());
        return exact.has(sent) || patterns.some((pattern) => pattern.matcher(sent).find());
    };
}

function compile(expression: string): RE2JS[] {
    try {
        return [RE2JS.compile(expression)];
    } catch {
        return [];
    }
}

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** The text and links of an exported page. */
interface PageContent {
    readonly title: string;
    /** The page's text without navigation and footer. */
    readonly text: string;
    /** The targets of `#anchor` links. */
    readonly ids: ReadonlySet<string>;
    /** The addresses of the page's links and pictures, as written. */
    readonly hrefs: readonly string[];
    /** The target of a page that only redirects. */
    readonly redirectsTo?: string;
}

/** Elements whose text readers do not see, and links to other pages. */
const withoutOwnText = new Set(["script", "style", "template", "noscript", "nav"]);

function readPage(html: string): PageContent {
    const elements = [...elementsIn(parse(html))];
    const find = (name: string) => elements.find(({ tagName }) => tagName === name);
    const main = find("main") ?? find("body");
    const refresh = elements.find((element) => attribute(element, "http-equiv")?.toLowerCase() === "refresh");
    const target = /^\s*0\s*;\s*url=(.*)$/i.exec(attribute(refresh, "content") ?? "")?.[1];
    return {
        title: collapse(textOf(find("title"))),
        text: collapse(ownParts(main).map(textOf).join(" ")),
        ids: new Set(elements.flatMap((element) => attribute(element, "id") ?? [])),
        hrefs: [
            ...new Set(
                elements.flatMap((element) =>
                    element.tagName === "a"
                        ? (attribute(element, "href") ?? [])
                        : element.tagName === "img"
                          ? (attribute(element, "src") ?? [])
                          : [],
                ),
            ),
        ],
        ...(target !== undefined && { redirectsTo: target }),
    };
}

/**
 * The page's article; without an article, everything except the page's footer. Footers within the text remain, because
 * they name sources.
 */
function ownParts(main: Element | undefined): Node[] {
    const parts = (main?.childNodes ?? []).filter(({ nodeName }) => nodeName !== "footer");
    const articles = parts.filter(({ nodeName }) => nodeName === "article");
    return articles.length === 1 ? articles : parts;
}

function textOf(part: Node | undefined): string {
    let text = "";
    const open: Node[] = part === undefined ? [] : [part];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
        if (next.nodeName === "#text" && "value" in next) {
            text += `${next.value} `;
        } else if ("childNodes" in next && !withoutOwnText.has(next.nodeName)) {
            open.push(...next.childNodes.toReversed());
        }
    }
    return text;
}

function collapse(text: string): string {
    return text.replace(/\s+/g, " ").trim();
}
