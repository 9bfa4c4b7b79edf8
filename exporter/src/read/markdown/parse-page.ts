import { type Features, type HastNode } from "satteri";
import { voidElements } from "../../html/known-elements.js";
import { childrenOf, hasRawHtml, mapTexts, onlyParagraph, type HastElement, textOf } from "../../text/syntax-tree.js";
import { hasMarks, markCjkEmphasis, withoutMark } from "./cjk-emphasis.js";
import { blockDollars, escapeDollars, scriptDollar } from "./formula-dollars.js";
import { reportLostText } from "./lost-text.js";
import { markdownToHast, mdxToHast, refusesMdx } from "../../text/markdown-parser.js";
import { itemMarker } from "./page-text/block-starts.js";
import { PageText, type Repair, type Report } from "./page-text/page-text.js";
import { repairMdx } from "./repair-mdx.js";
import { ofAuthors, ofHtml, ofNativeMdx, rewrite } from "./rewrites.js";
import { separateScripts } from "./separate-scripts.js";
import { reportUnclosedCode } from "./unclosed-code.js";
import { emptyOpenComments } from "./unended-tags.js";
import { usesComponents } from "./uses-components.js";
import { blankLineFiller } from "./whole-exports.js";

interface ParsedPage {
    readonly root: HastNode;
    /** The changes that made the page parseable. */
    readonly repairs: readonly Repair[];
    /** Missing if the page is read as Markdown. */
    readonly mdx?: ParsedMdx;
}

/** A parsed page, with the tree that has positions, in which HTML of Markdown is raw text. */
interface PlacedPage extends ParsedPage {
    readonly placed: HastNode;
    /** The text that the positions refer to. */
    readonly page: PageText;
    /** The text before it was changed for the parser, on the same lines. */
    readonly source: PageText;
}

/** The text of a page as the parser reads it. */
export interface ParsedMdx {
    /** The text that the positions of the tree's nodes refer to. */
    readonly text: string;
    /** Restores what the author wrote in a part of the text. */
    readonly restore: (part: string) => string;
}

/**
 * Parses a page, including front matter, without running its code. Repairs invalid MDX place by place, or reads the
 * page as Markdown if repairs do not help, so that a mistake does not affect the rest of the page.
 */
export function parsePage(source: string, isMdx: boolean): ParsedPage {
    const repairs: Repair[] = [];
    const report = reportTo(repairs);
    if (refusesMdx()) {
        report(undefined, readAsMarkdown);
    }
    const page = rewrite(new PageText(source, !refusesMdx() && isReadAsMdx(source, isMdx)), ofAuthors, report);
    const parsed = page.isMdx ? parseComponents(page) : parseMarkdown(page);
    repairs.push(...parsed.repairs);
    reportUnclosedCode(parsed.page, parsed.placed, report);
    const { root, mdx } = withoutMarks(parsed);
    return { root, repairs, ...(mdx && { mdx }) };
}

function reportTo(repairs: Repair[]): Report {
    return (line, reason) => void repairs.push({ line, reason });
}

const readAsMarkdown =
    "a fault in the MDX parser ends its process at this page, so the page is read as Markdown, without components: " +
    "move each closing tag in a list or quotation to a separate line, indented like its opening tag";

function parseComponents(page: PageText): PlacedPage {
    const parsed = parseRepaired(page);
    const repairs: Repair[] = [];
    const hasScripts = parsed.mdx !== undefined && childrenOf(parsed.root).some(({ type }) => type === "mdxjsEsm");
    const separated = hasScripts ? separateScripts(parsed.source, parsed.root, reportTo(repairs)) : undefined;
    if (separated === undefined) {
        return parsed;
    }
    const { root, ...others } = parseRepaired(separated.page);
    return {
        ...others,
        root: { type: "root", children: [...separated.scripts, ...childrenOf(root)] } as HastNode,
        repairs: [...repairs, ...parsed.repairs, ...others.repairs],
    };
}

function parseRepaired(page: PageText): PlacedPage {
    const repairs: Repair[] = [];
    const report = reportTo(repairs);
    let parsed: PlacedPage | undefined;
    const open = leavesOpen(page);
    if (open !== undefined) {
        report(undefined, `the page is read as Markdown, because it leaves ${open} open`);
    } else {
        try {
            return parseMdxTree(page);
        } catch (error) {
            parsed = repairMdx(page, error, report, parseMdxTree);
        }
    }
    const { repairs: others, ...read } = parsed ?? parseMarkdown(new PageText(page.text, false));
    return { ...read, repairs: [...repairs, ...others] };
}

export function parseMdx(source: string): HastNode {
    return withoutMarks(parseMdxTree(markCjkEmphasis(new PageText(source, true)))).root;
}

function withoutMarks(parsed: PlacedPage): ParsedPage {
    const { root, mdx } = parsed;
    if (!hasMarks(parsed.page)) {
        return parsed;
    }
    const restore = (part: string) => withoutMark(mdx?.restore(part) ?? part);
    return { ...parsed, root: mapTexts(root, withoutMark), ...(mdx && { mdx: { ...mdx, restore } }) };
}

function parseMdxTree(source: PageText): PlacedPage {
    const repairs: Repair[] = [];
    const parse = ({ text }: PageText, hasFormulas?: boolean) =>
        mdxToHast(text, { features: featuresOf(text, hasFormulas) });
    const read = rewrite(source, ofNativeMdx, () => undefined);
    const { page, hasFormulas } = withEscapedDollars(read, reportTo(repairs), (candidate) => parse(candidate, false));
    const placed = parse(page, hasFormulas);
    const restore = restoreStandIns(page, source);
    const root = restore === undefined ? placed : mapTexts(placed, restore);
    return { root, placed, page, source, repairs, mdx: { text: page.text, restore: restore ?? ((text) => text) } };
}

/** @returns undefined if there are no stand-ins for parts of the source */
function restoreStandIns(page: PageText, source: PageText): ((text: string) => string) | undefined {
    const used = standIns.filter(([standIn]) => page.text.includes(standIn) && !source.text.includes(standIn));
    return used.length === 0
        ? undefined
        : (text) => used.reduce((whole, [standIn, meant]) => whole.replaceAll(standIn, meant), text);
}

/** The text that the native parser reads in place of what it would misread, with what is meant. */
const standIns = [
    [blankLineFiller, ""],
    [scriptDollar, "$"],
] as const;

/** @param parse parses the page without formulas; a formula such as `$x^{a b}$` is then invalid MDX */
function withEscapedDollars(
    page: PageText,
    report: Report,
    parse: (page: PageText) => HastNode,
): ReturnType<typeof escapeDollars> {
    if (!dollar.test(page.text)) {
        return { page, hasFormulas: true };
    }
    for (const candidate of [() => page, () => withoutBraces(page)]) {
        try {
            return escapeDollars(page, parse(candidate()), report);
        } catch {
            // Braces outside of formulas are at fault, too.
        }
    }
    return { page, hasFormulas: true };
}

const pairOfDollars = /(?<![\\$\w])\$(?![\s$])(?:[^$\n\\`]|\\.)+?(?<!\s)\$(?![\w$])/g;

/** Replaces braces and tags between dollar signs with letters, so that all offsets remain. */
function withoutBraces(page: PageText): PageText {
    return page.replace(pairOfDollars, ([pair]) => pair.replace(/[{}<>\\]/g, "x"), page.code);
}

const dollar = /(?<!\$)\$(?!\$)/;

/** Parses text in an attribute, without the paragraph around it; undefined if the text does not parse. */
export function parseInline(text: string): readonly HastNode[] | undefined {
    try {
        const nodes = childrenOf(parseMdx(text));
        return onlyParagraph(nodes)?.children ?? nodes;
    } catch {
        return undefined;
    }
}

/** Whether a page is parsed as MDX: because of its file, or because it uses components. */
export function isReadAsMdx(source: string, isMdx: boolean): boolean {
    return isMdx || (mayUseComponents(source) && mayUseComponents(new PageText(source, false).withoutCode()));
}

/**
 * Mintlify also reads `.md` as MDX: a `.md` page may import the components that its tags name. A page that uses
 * Mintlify's components cannot be meant as plain Markdown.
 */
function mayUseComponents(source: string): boolean {
    return (importLine.test(source) && /<[A-Z]/.test(source)) || usesComponents(source);
}

const importLine = /^import [^\n"']{1,200} from ["'][^\n"']{1,200}["'];?[ \t]*\r?$/m;

function parseMarkdown(source: PageText): PlacedPage {
    const repairs: Repair[] = [];
    const report = reportTo(repairs);
    const parse = ({ text }: PageText, hasFormulas = false) =>
        markdownToHast(text, { features: featuresOf(text, hasFormulas) });
    const { page, hasFormulas } = withEscapedDollars(source, report, parse);
    const restore = restoreStandIns(page, source);
    const restored = (root: HastNode) => (restore === undefined ? root : mapTexts(root, restore));
    // Skips the raw HTML in most pages, which contain tags only in code, because building a tree with raw HTML takes
    // twice the time.
    if (!htmlTag.test(page.text) || page.only("tag", "comment", "unended").length === 0) {
        const root = parse(page, hasFormulas);
        if (!hasRawHtml(root)) {
            return { root: restored(root), placed: root, page, source, repairs };
        }
    }
    const tagged = rewrite(page, ofHtml, report);
    const tree = parse(tagged, hasFormulas);
    const read = emptyOpenComments(tagged, tree);
    const placed = read === tagged ? tree : parse(read, hasFormulas);
    // Raw HTML becomes elements, so that an element without a closing tag ends with its parent.
    const root = markdownToHast(read.text, { features: { ...featuresOf(read.text, hasFormulas), rawHtml: true } });
    if (hasFenceMetas(read.text)) {
        restoreFenceMetas(root, placed);
    }
    reportLostText(placed, root, report);
    return { root: restored(root), placed, page: read, source, repairs };
}

const htmlTag = /<[a-z/!?]/i;
/**
 * The MDX parser's time grows with the square of the number of open tags and braces, and a page with more of them could
 * not be repaired.
 */
const maxOpenTags = 500;
const maxOpenBraces = 100;
const beginningOfTag = /^<(\/?)([\w.:-]*)/;

/** The tags or braces of which a page leaves so many open that it is not read as MDX. */
function leavesOpen(page: PageText): string | undefined {
    return leavesTagsOpen(page)
        ? `more than ${maxOpenTags} tags`
        : leavesBracesOpen(page)
          ? `more than ${maxOpenBraces} braces`
          : undefined;
}

function leavesBracesOpen(page: PageText): boolean {
    let open = 0;
    // The mark of a comment without an end also begins with a brace.
    for (const [brace] of page.text.split("{", maxOpenBraces + 2).length <= maxOpenBraces + 1 ? [] : braces(page)) {
        open = brace.startsWith("{") ? open + 1 : brace === "}" ? Math.max(open - 1, 0) : open;
    }
    return open > maxOpenBraces;
}

const braces = (page: PageText) => page.matches(/\\[^]|[{}]/g);

function leavesTagsOpen(page: PageText): boolean {
    if (page.text.split("<", maxOpenTags + 2).length <= maxOpenTags + 1) {
        return false;
    }
    let open = 0;
    for (const { start, end } of page.only("tag")) {
        const tag = page.text.slice(start, end);
        const [, closes, name = ""] = beginningOfTag.exec(tag) ?? [];
        open += closes ? -1 : tag.endsWith("/>") || voidElements.has(name.toLowerCase()) ? 0 : 1;
    }
    return open > maxOpenTags;
}

function featuresOf(source: string, hasFormulas = true): Features {
    const features: Features = { headingAttributes: true };
    // In a table, the native parser pairs single dollar signs with any setting for formulas.
    return (hasFormulas ? source.includes("$") : blockDollars.test(source))
        ? { ...features, math: { singleDollarTextMath: hasFormulas } }
        : features;
}

const fenceWithMeta = new RegExp(
    String.raw`^[ \t>]*(?:${itemMarker} +)?(?:[\x60]{3,}|~{3,}(?!~))[ \t]*[^\s\x60]+[ \t]+[^\s\x60]`,
    "m",
);

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
