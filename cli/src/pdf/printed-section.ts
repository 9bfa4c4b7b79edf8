import { decodeUri } from "@pulumi-static-export/contract";
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse, serializeOuter } from "parse5";
import { attribute, elementsIn } from "@pulumi-static-export/exporter/compare";

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** The placeholder for the address of other pages in links, until it is known which pages are printed together. */
export const otherPages = "http://pages.invalid/";

/** A page as a part of a longer document. */
export interface PrintedSection {
    /** The page's position in the whole document, from 1. */
    readonly number: number;
    readonly html: string;
    /** The page's style sheets, by their paths from the site's root, and the content of its `<style>` elements. */
    readonly sheets: readonly string[];
    readonly styles: readonly string[];
    readonly language: string;
    readonly direction: string;
    readonly title: string;
    /** The groups of the navigation that contain the page. */
    readonly group: string;
    readonly hasDiagram: boolean;
    /** The ids of the page's headings, with their levels and text. */
    readonly headings: readonly Heading[];
}

/** The information about other pages that is needed to write links. */
export interface PrintedSite {
    /** The number of the page in a file; undefined if that page is not printed. */
    readonly numberOf: (file: string) => number | undefined;
    /** The public address of the site, with a trailing slash. */
    readonly address: string | undefined;
}

export interface Heading {
    readonly id: string;
    readonly level: number;
    readonly text: string;
}

/** Elements that have no use on paper. */
const leftOut = new Set(["script", "noscript", "template", "form", "audio", "video", "source", "track"]);
const classesLeftOut = ["page-menu", "feedback", "try-it", "try-it-open"];
const lists = new Set([
    "for",
    "headers",
    "list",
    "aria-labelledby",
    "aria-describedby",
    "aria-controls",
    "aria-owns",
    "aria-details",
]);

/**
 * The article of an exported page with ids that are unique in the document, and with links and pictures relative to the
 * site's root.
 *
 * @param file the page's file, such as `guides/start.html`
 */
export function printedSection(
    html: string,
    file: string,
    { numberOf, address }: PrintedSite,
): PrintedSection | undefined {
    const document = parse(html);
    const elements = [...elementsIn(document)];
    const root = elements.find(({ tagName }) => tagName === "html");
    const main = elements.find(({ tagName }) => tagName === "main");
    const article = main && [...elementsIn(main)].find(({ tagName }) => tagName === "article");
    const number = numberOf(file);
    if (article === undefined || number === undefined) {
        return undefined;
    }
    const place = { file, number, numberOf, address };
    const inHead = elements.filter((each) => each.parentNode?.nodeName === "head");
    const sheets = inHead.filter((each) => attribute(each, "rel") === "stylesheet");
    const all = [...elementsIn(article)];
    all.forEach((each) => rewrite(each, place));
    const left = [...elementsIn(article)];
    const eyebrow = left.find((each) => attribute(each, "class") === "eyebrow");
    const headings = left.flatMap((each) => {
        const level = Number(/^h([1-6])$/.exec(each.tagName)?.[1] ?? 0);
        const id = level === 1 ? `p${number}` : attribute(each, "id");
        return level === 0 || id === undefined ? [] : [{ id, level, text: textOf(each) }];
    });
    return {
        number,
        html: `<section id="p${number}" class="printed-page">${serializeOuter(article)}</section>\n`,
        sheets: sheets.flatMap((each) => fromRoot(attribute(each, "href") ?? "", file) ?? []),
        styles: inHead.filter(({ tagName }) => tagName === "style").map((each) => absoluteStyle(rawTextOf(each), file)),
        language: attribute(root, "lang") ?? "en",
        direction: attribute(root, "dir") ?? "ltr",
        title: headings.find(({ level }) => level === 1)?.text ?? file,
        group: eyebrow === undefined ? "" : textOf(eyebrow),
        hasDiagram: left.some((each) => attribute(each, "class")?.split(" ").includes("mermaid")),
        headings,
    };
}

interface Place extends PrintedSite {
    readonly file: string;
    readonly number: number;
}

function rewrite(element: Element, place: Place): void {
    const names = attribute(element, "class")?.split(" ") ?? [];
    if (leftOut.has(element.tagName) || classesLeftOut.some((name) => names.includes(name))) {
        defaultTreeAdapter.detachNode(element);
        return;
    }
    if (element.tagName === "iframe" || element.tagName === "embed" || element.tagName === "object") {
        replaceByLink(element);
        return;
    }
    const prefix = `p${place.number}-`;
    element.attrs = element.attrs.flatMap(({ name, value, ...rest }) => {
        const changed = changedAttribute(element, name, value, { prefix, place });
        return changed === undefined ? [] : [{ name, value: changed, ...rest }];
    });
}

/** Undefined to omit the element. */
function changedAttribute(
    element: Element,
    name: string,
    value: string,
    { prefix, place }: { prefix: string; place: Place },
): string | undefined {
    if (name.startsWith("on") || name === "autofocus" || name === "loading") {
        return undefined;
    }
    if (name === "id") {
        return prefix + value;
    }
    if (lists.has(name)) {
        return value.replace(/\S+/g, (id) => prefix + id);
    }
    if (name === "href" || name === "xlink:href") {
        return element.tagName === "a" || element.tagName === "area"
            ? linkTo(value, place)
            : value.startsWith("#")
              ? `#${prefix}${value.slice(1)}`
              : fromRoot(value, place.file);
    }
    if (name === "src" || name === "poster") {
        return fromRoot(value, place.file);
    }
    if (name === "srcset") {
        const sources = value.split(",").map((each) => each.trim().split(/\s+/));
        return sources.map(([url = "", ...size]) => [fromRoot(url, place.file) ?? "", ...size].join(" ")).join(", ");
    }
    return name === "style" || value.includes("url(#") ? value.replaceAll("url(#", `url(#${prefix}`) : value;
}

/** The target of a link in the document: a printed page, a public address, or none. */
function linkTo(href: string, { file, number, numberOf, address }: Place): string | undefined {
    if (href.startsWith("#")) {
        return `#p${number}${href === "#" ? "" : `-${decodeUri(href.slice(1))}`}`;
    }
    if (/^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith("//")) {
        return /^(?:https?|mailto|tel):/i.test(href) ? href : undefined;
    }
    const target = new URL(href, new URL(file, otherPages));
    const path = decodeUri(target.pathname.slice(1));
    const to = numberOf(path === "" || path.endsWith("/") ? `${path}index.html` : path) ?? numberOf(`${path}.html`);
    if (to !== undefined) {
        const fragment = target.hash === "" ? "" : `-${decodeUri(target.hash.slice(1))}`;
        return `${otherPages}#p${to}${fragment}`;
    }
    return address === undefined
        ? undefined
        : address + target.pathname.slice(1).replace(/(^|\/)index\.html$|\.html$/, "$1") + target.search + target.hash;
}

/** The file of the site for an address relative to the root; undefined for other addresses. */
function fromRoot(href: string, file: string): string | undefined {
    if (/^data:/i.test(href)) {
        return href;
    }
    const url = URL.canParse(href, new URL(file, otherPages).href)
        ? new URL(href, new URL(file, otherPages))
        : undefined;
    // Other files keep their addresses, so that the printer can count and refuse the requests.
    return url === undefined ? undefined : url.href.startsWith(otherPages) ? url.pathname + url.search : url.href;
}

function absoluteStyle(css: string, file: string): string {
    return css.replace(/url\("([^"]*)"\)/g, (_, href: string) => `url("${fromRoot(href, file) ?? ""}")`);
}

function replaceByLink(element: Element): void {
    const address = attribute(element, "src") ?? attribute(element, "data") ?? "";
    const text = attribute(element, "title") ?? address;
    const isWeb = /^https?:/i.test(address);
    element.childNodes = [];
    element.tagName = element.nodeName = isWeb ? "a" : "span";
    element.attrs = isWeb ? [{ name: "href", value: address }] : [];
    defaultTreeAdapter.insertText(element, isWeb ? text : "");
}

function rawTextOf(element: Element): string {
    return element.childNodes.map((node) => ("value" in node ? node.value : "")).join("");
}

function textOf(element: Element): string {
    let text = "";
    const open: Node[] = [element];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
        if ("value" in next && next.nodeName === "#text") {
            text += next.value;
        } else if ("childNodes" in next && !("attrs" in next && attribute(next, "class") === "anchor")) {
            open.push(...next.childNodes.toReversed());
        }
    }
    return text.replace(/\s+/g, " ").trim();
}
