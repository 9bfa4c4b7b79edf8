import { markdownToHast, mdxToHast, type Features, type HastNode } from "satteri";
import { voidElements, isKnownElement } from "../../html/known-elements.js";
import { childrenOf, hasRawHtml, onlyParagraph, type HastElement, textOf } from "../../text/syntax-tree.js";
import { quoteAdmonitions } from "./admonitions.js";
import {
    escapeForeignTags,
    findForeignSyntax,
    readBadges,
    readGitBookTags,
    readMdxBlocks,
    withoutVueScripts,
} from "./foreign-syntax.js";
import { readIncludes } from "./includes.js";
import { keepCells } from "./table-bars.js";
import { repairMdx, type Repair } from "./repair-mdx.js";
import { mayHaveTabs, readVueSlots, showTabs } from "./shown-tabs.js";
import { usesComponents } from "./uses-components.js";

export interface ParsedPage {
    readonly root: HastNode;
    /** The changes that made the page parseable. */
    readonly repairs: readonly Repair[];
}

/**
 * Parses a page, including front matter, without running its code. Repairs invalid MDX place by place, or reads the
 * page as Markdown if repairs do not help, so that a mistake does not affect the rest of the page.
 */
export function parsePage(source: string, isMdx: boolean): ParsedPage {
    const included = readIncludes(source);
    const blocks = readMdxBlocks(included);
    const page = isMdx ? blocks : readVueSlots(withoutVueScripts(blocks));
    const hasComponents = isMdx || blocks !== included || importsComponents(page) || showsComponents(page);
    const read = quoteAdmonitions(readGitBookTags(page), hasComponents);
    const { text, repairs } = keepCells(read);
    const parsed = hasComponents
        ? parseComponents(escapeForeignTags(text))
        : { root: parseMarkdown(readBadges(text)), repairs: [] };
    if (mayHaveTabs.test(text)) {
        showTabs(parsed.root);
    }
    return { ...parsed, repairs: [...repairs, ...parsed.repairs, ...findForeignSyntax(read, hasComponents)] };
}

function parseComponents(source: string): ParsedPage {
    if (leavesTagsOpen(source)) {
        const reason = `the page is read as Markdown, because it leaves more than ${maxOpenTags} tags open`;
        return { root: parseMarkdown(source), repairs: [{ line: undefined, reason }] };
    }
    try {
        return { root: parseMdx(source), repairs: [] };
    } catch (error) {
        const { text, repairs, isMdx } = repairMdx(source, error, (candidate) => void parseMdx(candidate));
        return { root: isMdx ? parseMdx(text) : parseMarkdown(source), repairs };
    }
}

export function parseMdx(source: string): HastNode {
    return mdxToHast(source, { features: featuresOf(source) });
}

/** Parses text in an attribute, without the paragraph around it; undefined if the text does not parse. */
export function parseInline(text: string): readonly HastNode[] | undefined {
    try {
        const nodes = childrenOf(parseMdx(text));
        return onlyParagraph(nodes)?.children ?? nodes;
    } catch {
        return undefined;
    }
}

/** Docusaurus also reads `.md` as MDX: a `.md` page may import the components that its tags name. */
function importsComponents(source: string): boolean {
    return importLine.test(source) && /<[A-Z]/.test(source) && importLine.test(source.replace(code, ""));
}

/** Mintlify also reads `.md` as MDX: a page that uses its components cannot be meant as plain Markdown. */
function showsComponents(source: string): boolean {
    return usesComponents(source) && usesComponents(source.replace(code, ""));
}

const importLine = /^import [^\n"']{1,200} from ["'][^\n"']{1,200}["'];?[ \t]*\r?$/m;

/** Raw HTML becomes elements, so that an element without a closing tag ends with its parent. */
function parseMarkdown(source: string): HastNode {
    const features = featuresOf(source);
    // Skips the raw HTML in most pages, which contain tags only in code, because building a tree with raw HTML takes
    // twice the time.
    if (!htmlTag.test(source)) {
        return markdownToHast(source, { features });
    }
    if (!htmlTag.test(source.replace(code, ""))) {
        const root = markdownToHast(source, { features });
        if (!hasRawHtml(root)) {
            return root;
        }
    }
    const text = readUnknownTags(source, code);
    const root = markdownToHast(text, { features: { ...features, rawHtml: true } });
    if (hasFenceMetas(text)) {
        restoreFenceMetas(root, markdownToHast(text, { features }));
    }
    return root;
}

const htmlTag = /<[a-z/!?]/i;
/** Matches fenced code and inline code. A fence ends at a line of the same characters, or at the end of the page. */
const code =
    /^(?:[ \t]|[-*+>][ \t]|\d+[.)][ \t])*(`{3,}(?=[^`\n]*$)|~{3,}(?!~))[^\n]*\n(?:(?:[^]*?\n)??[ \t>]*\1[`~]*[ \t]*\r?$|[^]*)|`[^`\n]+`/gm;
/**
 * The MDX parser's time grows with the square of the number of open tags, and a page with more open tags could not be
 * repaired.
 */
const maxOpenTags = 500;
const tag = /<(\/?)([a-z][\w.:-]*)(?![\w.:-])[^<>]*?(\/?)>/gi;

function leavesTagsOpen(source: string): boolean {
    if (source.split("<", maxOpenTags + 2).length <= maxOpenTags + 1) {
        return false;
    }
    let open = 0;
    for (const [, closes, name = "", isEmpty] of source.replace(code, "").matchAll(tag)) {
        open += closes ? -1 : isEmpty || voidElements.has(name.toLowerCase()) ? 0 : 1;
    }
    return open > maxOpenTags;
}

/**
 * `$…$` counts as a formula only on pages that contain an obvious formula: elsewhere, `$` may mean money or a shell
 * variable.
 */
function featuresOf(source: string): Features {
    const features: Features = { headingAttributes: true };
    if (!source.includes("$")) {
        return features;
    }
    const singleDollarTextMath = /(?:^|[\s(])\$(?=[^\s$])[^$\n`]{0,400}[\\^_=][^$\n`]{0,400}(?<!\s)\$(?![\w$])/m.test(
        source,
    );
    return { ...features, math: { singleDollarTextMath } };
}

const fenceWithMeta = /^[ \t>]*(?:[-*+] +|\d+[.)] +)?(?:`{3,}|~{3,}(?!~))[ \t]*[^\s`]+[ \t]+[^\s`]/m;

/** Whether a fence on the page may contain more than a language, such as a title. */
function hasFenceMetas(source: string): boolean {
    return fenceWithMeta.test(source);
}

/**
 * Restores the text after a fence's language in a tree with raw HTML, because only the `plain` tree contains this text.
 */
function restoreFenceMetas(root: HastNode, plain: HastNode): void {
    const codes = codesOf(root);
    let next = 0;
    for (const fence of codesOf(plain)) {
        const text = textOf(fence);
        const found = codes.findIndex((code, at) => at >= next && textOf(code) === text);
        if (found !== -1) {
            next = found + 1;
            Object.assign(codes[found] as HastElement, { data: fence.data });
        }
    }
}

function codesOf(node: HastNode): HastElement[] {
    return childrenOf(node).flatMap((child) =>
        node.type === "element" && node.tagName === "pre" && child.type === "element" && child.tagName === "code"
            ? [child]
            : codesOf(child),
    );
}

/** Matches lines that Markdown may treat as one block of code. */
const indentedLine = /^(?: {4}|\t).*$/;
/** HTML ignores the slash in `<iframe />`, so everything after it would be hidden content. */
const neverSelfClosed = /^(?:iframe|video|audio|canvas|object|textarea)$/i;
const openingTag = /<([A-Za-z][\w.-]*)(\s[^<>]*)?(\/?)>/;

/**
 * Closes the tags of unknown elements: HTML ignores the slash in `<Badge type="tip" />`, so everything after it would
 * be the element's content. A tag without attributes that is never closed, such as `<your-key>`, is text. Lines keep
 * their numbers.
 * @param code matches code, which does not change
 */
function readUnknownTags(source: string, code: RegExp): string {
    const closed = new Set([...source.matchAll(/<\/([A-Za-z][\w.-]*)/g)].map(([, name]) => name));
    const codeOrTag = new RegExp(`${code.source}|${indentedLine.source}|${openingTag.source}`, "gm");
    return source.replace(codeOrTag, (whole: string) => {
        const [tag, name = "", attributes, slash] = whole.startsWith("<") ? (openingTag.exec(whole) ?? []) : [];
        const closesItself = slash === "/" || attributes?.endsWith("/") === true;
        if (tag === undefined || (isKnownElement(name) && !(closesItself && neverSelfClosed.test(name)))) {
            return whole;
        }
        if (closesItself) {
            return `${tag.replace(/\s*\/>$/, ">")}</${name}>`;
        }
        return attributes === undefined && !closed.has(name) ? `&lt;${tag.slice(1)}` : whole;
    });
}
