import { rewriteCssAddresses } from "./css-addresses.js";
import { type Properties, rewriteSrcset, writeAttributes, styleText } from "./html-attributes.js";
import { type HeadingIds } from "./heading-ids.js";
import { voidElements } from "./known-elements.js";
import { type SearchText } from "../text/search-text.js";
import { word } from "../words/words.js";

/** Elements that separate words, as they are on lines or in boxes apart. */
const separatingElements = new Set(
    (
        "address article aside blockquote br button caption dd details dialog div dl dt fieldset figcaption figure " +
        "footer form h1 h2 h3 h4 h5 h6 header hgroup hr label legend li main menu nav ol optgroup option p pre search " +
        "section select summary table tbody td textarea tfoot th thead tr ul"
    ).split(" "),
);
export const rawTextElements = new Set(["script", "style"]);
/** Elements whose text Markdown reads as a paragraph, because authors write the text on separate lines. */
export const phrasingElements = new Set("p h1 h2 h3 h4 h5 h6 span button summary label option strong em a".split(" "));
/** Attributes with one address, in lower case and without the colon of `xlink:href`. */
const addressAttributes = new Set(["href", "xlinkhref", "src", "poster", "background", "longdesc"]);
/** Attributes with a list of addresses. */
const addressLists = new Set(["srcset", "imagesrcset"]);
export const blockTag = /<(?:div|p|ul|ol|dl|table|figure|section|aside|details|pre|blockquote|h[1-6])[\s>]/;

/** The context in which an element is written. */
interface TagContext {
    readonly search: SearchText;
    readonly ids: HeadingIds;
    link(href: string): string;
}

/** Writes an element, with its links rewritten for the page. */
export function writeTag(tagName: string, properties: Properties, inner: () => string, context: TagContext): string {
    const open = isPlain(tagName, properties)
        ? `<${tagName}>`
        : `<${tagName}${writeAttributes(resolved(tagName, properties, context))}>`;
    const separates = separatingElements.has(tagName);
    if (separates) {
        context.search.separate();
    }
    if (tagName === "img" && typeof properties["alt"] === "string" && properties["alt"] !== "") {
        context.search.add(` ${properties["alt"]} `);
    }
    if (voidElements.has(tagName)) {
        return open;
    }
    const content = tagName === "style" ? rewriteCssAddresses(inner(), (href) => context.link(href)) : inner();
    // Browsers leave out the first line break of these elements.
    const lineBreak = (tagName === "pre" || tagName === "textarea") && content.startsWith("\n") ? "\n" : "";
    const html = `${open}${lineBreak}${content}</${tagName}>`;
    if (separates) {
        context.search.separate();
    }
    return html;
}

/** Lets readers scroll a table that is wider than the page, even with the keyboard. */
export function scrollingTable(table: string): string {
    return `<div class="table" role="group" aria-label="${word("table")}" tabindex="0">${table}</div>`;
}

/** A shortcut, because most elements have no attributes. */
function isPlain(tagName: string, properties: Properties): boolean {
    return Object.keys(properties).length === 0 && tagName !== "img" && tagName !== "pre";
}

/** The attributes, with links rewritten for the page, and with an id that is unique on the page. */
function resolved(tagName: string, properties: Properties, context: TagContext): Properties {
    const link = (href: string) => context.link(href);
    const attributes: Record<string, unknown> = { ...properties };
    for (const [given, value] of Object.entries(properties)) {
        const name = given.toLowerCase().replace(":", "");
        if (typeof value !== "string") {
            continue;
        }
        if (addressLists.has(name)) {
            attributes[given] = rewriteSrcset(value, link);
        } else if (addressAttributes.has(name) || (name === "data" && tagName === "object")) {
            attributes[given] = link(value);
        }
    }
    if (tagName === "img") {
        attributes["loading"] ??= "lazy";
    }
    if (tagName === "pre") {
        attributes["tabIndex"] ??= 0;
    }
    if (tagName === "img" || tagName === "svg") {
        const names = [attributes["className"], attributes["class"]].flat().filter((name) => typeof name === "string");
        attributes["style"] = withSize(sizeOfClasses(names.join(" ")), attributes["style"]);
    }
    if (attributes["style"] !== undefined) {
        attributes["style"] = withAddresses(attributes["style"], link);
    }
    if (typeof attributes["id"] === "string") {
        attributes["id"] = context.ids.claimExact(attributes["id"]);
    }
    return attributes;
}

function withAddresses(style: unknown, link: (href: string) => string): unknown {
    const text = typeof style === "object" && style !== null ? styleText(style as Properties) : style;
    return typeof text === "string" && text.includes("url(") ? rewriteCssAddresses(text, link) : style;
}

/** An author's style takes precedence over the size. */
function withSize(size: Record<string, string>, style: unknown): unknown {
    if (Object.keys(size).length === 0) {
        return style;
    }
    return typeof style === "string" ? `${styleText(size)};${style}` : { ...size, ...(style as object | undefined) };
}

/** Tailwind's classes for sizes: `h-6`, `w-[120px]`, `size-4`. */
const sizeName = /(?<![^\s])(w|h|size)-(\d{1,3}(?:\.5)?|\[\d{1,4}(?:\.\d{1,3})?(?:px|rem|em|%)\])(?![^\s])/g;

const sides: Readonly<Record<string, readonly string[]>> = { w: ["width"], h: ["height"], size: ["width", "height"] };

/**
 * The size in a picture's classes, as a style. Without a style, a drawing whose size is only in classes would be as
 * wide as the page.
 */
function sizeOfClasses(classes: string): Record<string, string> {
    const style: Record<string, string> = {};
    for (const [, name = "", size = ""] of classes.matchAll(sizeName)) {
        for (const side of sides[name] ?? []) {
            style[side] = size.startsWith("[") ? size.slice(1, -1) : `${Number(size) / 4}rem`;
        }
    }
    return style;
}

/** Whether an element changes where the page's links lead, or leaves the page. */
export function redirectsPage(tagName: string, properties: Properties): boolean {
    return (
        tagName === "base" ||
        (tagName === "meta" && Object.keys(properties).some((name) => /^http-?equiv$/i.test(name)))
    );
}
