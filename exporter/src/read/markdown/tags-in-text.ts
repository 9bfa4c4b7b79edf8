import { htmlTagNames } from "html-tag-names";
import { isKnownElement, voidElements } from "../../html/known-elements.js";
import { itemMarker } from "./page-text/block-starts.js";
import { type PageText } from "./page-text/page-text.js";
import { type Region, tagOfMarkdown } from "./page-text/regions.js";

/** Elements that have a meaning even without attributes and without a closing tag. */
const alwaysElements = new Set(["br", "hr", "wbr"]);

/** Elements that end with their parent, and the elements around them. */
const endsWithParent: Readonly<Record<string, string>> = {
    li: "ul ol menu",
    dt: "dl",
    dd: "dl",
    caption: "table",
    colgroup: "table",
    col: "table",
    thead: "table",
    tbody: "table",
    tfoot: "table",
    tr: "table",
    td: "table",
    th: "table",
    option: "select datalist",
    optgroup: "select",
    rt: "ruby",
    rp: "ruby",
    source: "video audio picture",
    track: "video audio",
    param: "object",
};

/** Elements whose content is text, up to their closing tag. */
const rawTexts = new Set("script style textarea title xmp iframe noembed noframes plaintext".split(" "));

/** Elements whose content is not Markdown: the native parser finds their closing tags only in lower case. */
const rawBlocks = new Set(["pre", "script", "style", "textarea"]);

/** Elements that hide the content after them if they are not closed. */
const hidesRest = new Set([...rawTexts, ..."template select dialog noscript frameset datalist".split(" ")]);

/** Elements that show their content only to browsers that do not know the elements. */
const fallbacks = new Set("iframe video audio canvas object".split(" "));

/** Elements that browsers never show in the body of a page. */
const headElements = new Set(["title", "noembed", "noframes", "plaintext"]);

const flowElements = new Set(
    "p div center section article aside header footer main nav details ul ol dl table blockquote figure".split(" "),
);
const formattingElements = new Set(
    "b i em strong u s small big sub sup mark code kbd del ins q font center".split(" "),
);
/** Elements that may end within each other, as in `<b>a<i>b</b>c</i>`. */
const overlapping = new Set([...formattingElements, "a", "span"]);
const foreignRoots = new Set(["svg", "math"]);
const htmlElements = new Set<string>(htmlTagNames);

const tagParts = /^<(\/?)([A-Za-z][\w.-]*)(\s[^<>]*)?(\/?)>$/;

/** Matches the text before the address of a link, which may be in angle brackets. */
const beforeAddress = /\]\(\s*$|^ {0,3}\[[^\]]*\]:\s*$/;
/** How many characters before and after a tag are read: a line may be as long as the page. */
const nearby = 200;

interface Tag {
    readonly index: number;
    readonly text: string;
    readonly name: string;
    readonly isClosing: boolean;
    readonly attributes: string | undefined;
    readonly closesItself: boolean;
    /** Whether the tag is the first text of its line. */
    readonly beginsLine: boolean;
    /** Whether nothing but tags follows in its line. */
    readonly endsLine: boolean;
    /** Whether text directly follows the tag. */
    readonly beginsWord: boolean;
    /** Whether the tag directly follows an address that Markdown turns into a link. */
    readonly followsAddress: boolean;
    readonly isCode: boolean;
    /** Whether the tag is code or an address, so that it must not change. */
    readonly isFixed: boolean;
    isMatched: boolean;
    /** Whether the tag is in an element in which its own element has a meaning. */
    isInPlace: boolean;
}

/**
 * Turns tags that their author means as text into text, such as `<your-key>`, and `<title>` in a sentence: elements
 * without a closing tag and without attributes, where their elements make no sense. Closes the tags of unknown elements:
 * HTML ignores the slash in `<Badge type="tip" />`, so everything after it would be the element's content. Lines keep
 * their numbers.
 */
export function readTags(page: PageText): PageText {
    const code = new IndentedTags(page.text);
    const tags = page
        .only("tag", "indented")
        .flatMap((region) =>
            region.kind === "tag" ? [tagAt(page.text, region.start, region.end)] : code.closingIn(region),
        );
    matchTags(tags);
    const opened = new Set(tags.filter(({ isClosing }) => !isClosing).map(({ name }) => name));
    return page.edited(
        tags
            .filter(({ isFixed }) => !isFixed)
            .map((tag) => ({ start: tag.index, end: tag.index + tag.text.length, text: rewritten(tag, opened) })),
    );
}

/**
 * Authors indent the tags of HTML, which makes them code after an empty line: those that close an element outside of
 * this code still do so, unless the element would hide this code and all that follows.
 */
class IndentedTags {
    readonly #open = new Map<string, number>();
    #end = 0;

    constructor(private readonly text: string) {}

    /** The closing tags in lines of code whose opening tags are not in the same code. */
    closingIn({ start, end }: Region): Tag[] {
        if (this.text.slice(this.#end, start).trim() !== "") {
            this.#open.clear();
        }
        this.#end = end;
        return Array.from(this.text.slice(start, end).matchAll(anyTag), ({ 0: tag, index }) =>
            tagAt(this.text, start + index, start + index + tag.length, true),
        ).filter(({ isClosing, closesItself, name }) => {
            const open = this.#open.get(name) ?? 0;
            this.#open.set(name, open + (isClosing ? -Math.sign(open) : closesItself ? 0 : 1));
            return isClosing && open === 0 && !hidesRest.has(name);
        });
    }
}

const onlyBlockMarkers = new RegExp(String.raw`^(?:[\s>]|${itemMarker}\s)*$`);
const anyTag = new RegExp(tagOfMarkdown, "g");

function tagAt(source: string, index: number, end: number, isCode = false): Tag {
    const text = source.slice(index, end);
    const [, slash, name = "", attributes, ending] = tagParts.exec(text) ?? [];
    const before = source.slice(Math.max(0, index - nearby), index).replace(/^[^]*\n/, "");
    const [after = ""] = source.slice(end, end + nearby).split("\n", 1);
    return {
        index,
        text,
        name: name.toLowerCase(),
        isClosing: slash === "/",
        attributes: attributes?.trim() === "" ? undefined : attributes,
        closesItself: ending === "/" || attributes?.endsWith("/") === true,
        beginsLine: onlyBlockMarkers.test(before.slice(-40)),
        endsLine: /^(?:\s|<[^<>]*>)*$/.test(after),
        beginsWord: /\S/.test(source[end] ?? " "),
        followsAddress: /(?:https?:\/\/|www\.)[^\s<]*$/i.test(before),
        isCode,
        isFixed: isCode || beforeAddress.test(before),
        isMatched: false,
        isInPlace: false,
    };
}

/** Finds the closing tag of each tag, and the elements around each tag. */
function matchTags(tags: readonly Tag[]): void {
    const lastClosing = new Map(tags.flatMap((tag, at) => (tag.isClosing ? [[tag.name, at] as const] : [])));
    const open: Tag[] = [];
    const count = new Map<string, number>();
    const change = (name: string, by: number) => void count.set(name, (count.get(name) ?? 0) + by);
    const isInside = (names: Iterable<string>) => [...names].some((name) => (count.get(name) ?? 0) > 0);
    for (let at = 0; at < tags.length; at += 1) {
        const tag = tags[at] as Tag;
        const { name } = tag;
        if (tag.isClosing) {
            if ((count.get(name) ?? 0) === 0) {
                continue;
            }
            const opening = open.findLastIndex((each) => each.name === name);
            if (tag.isCode && open[opening]?.beginsLine !== true) {
                continue;
            }
            const [first] = open.splice(opening, overlapping.has(name) ? 1 : Infinity).map((ended) => {
                change(ended.name, -1);
                return ended;
            });
            Object.assign(first as Tag, { isMatched: true });
            Object.assign(tag, { isMatched: true, isInPlace: first?.isInPlace });
            continue;
        }
        const isForeign = isInside(foreignRoots);
        tag.isInPlace =
            isForeign || isInside(endsWithParent[name]?.split(" ") ?? []) || (name === "title" && isInside(["head"]));
        if (tag.closesItself || voidElements.has(name)) {
            continue;
        }
        const isClosedLater = (lastClosing.get(name) ?? -1) > at;
        if (!isForeign && rawTexts.has(name)) {
            if (isClosedLater) {
                do {
                    at += 1;
                } while (tags[at]?.isClosing !== true || tags[at]?.name !== name);
                tag.isMatched = true;
                Object.assign(tags[at] as Tag, { isMatched: true, isInPlace: tag.isInPlace });
            }
            continue;
        }
        if (isClosedLater) {
            open.push(tag);
            change(name, 1);
        }
    }
}

/** @param opened the names of all opening tags */
function rewritten(tag: Tag, opened: ReadonlySet<string>): string {
    const { text, name, attributes, closesItself, isMatched, isInPlace, isClosing } = tag;
    // A comment ends an address before the tag: otherwise, the text would be part of the address.
    const asText = `${tag.followsAddress ? "<!---->" : ""}&lt;${text.slice(1)}`;
    const isHtml = htmlElements.has(name);
    if (headElements.has(name) && !isInPlace) {
        return asText;
    }
    if (isClosing) {
        const isTag = opened.has(name) || !isKnownElement(name) || (tag.beginsLine && tag.endsLine);
        return isTag ? (rawBlocks.has(name) ? text.toLowerCase() : text) : asText;
    }
    if (isInPlace) {
        return text;
    }
    if (!isKnownElement(name)) {
        if (closesItself) {
            return `${openingTag(text)}</${nameIn(text)}>`;
        }
        return attributes === undefined && !isMatched ? asText : text;
    }
    if (closesItself) {
        return fallbacks.has(name) || name === "textarea" ? `${openingTag(text)}</${nameIn(text)}>` : text;
    }
    if (isMatched || alwaysElements.has(name)) {
        return text;
    }
    if (attributes !== undefined) {
        return fallbacks.has(name) ? `${text}</${nameIn(text)}>` : hidesRest.has(name) ? asText : text;
    }
    if (formattingElements.has(name) && tag.beginsWord) {
        return text;
    }
    const isSloppy = isHtml && tag.beginsLine && flowElements.has(name) && (name === "p" || tag.endsLine);
    return isSloppy ? text : asText;
}

function nameIn(tag: string): string {
    return /[A-Za-z][\w.-]*/.exec(tag)?.[0] ?? "";
}

/** The tag of an element that would close itself in XML. */
function openingTag(text: string): string {
    return text.endsWith("/>") ? `${text.slice(0, -"/>".length).trimEnd()}>` : text;
}
