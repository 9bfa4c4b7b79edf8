import { type Features, type HastNode } from "satteri";
import { voidElements } from "../../html/known-elements.js";
import { childrenOf, hasRawHtml, mapTexts, onlyParagraph, type HastElement, textOf } from "../../text/syntax-tree.js";
import { moveClosingTags } from "./closing-tags.js";
import { escapeForeignTags, findForeignSyntax } from "./foreign-syntax.js";
import { readGitBookTags } from "./gitbook-tags.js";
import { keepCells } from "./table-bars.js";
import { moveFootnotes } from "./indented-footnotes.js";
import { findLostText } from "./lost-text.js";
import { rewriteOutsideCode } from "./fences.js";
import { isNative, markdownToHast, mdxToHast } from "../../text/markdown-parser.js";
import { repairMdx, type Repair } from "./repair-mdx.js";
import { separateScripts } from "./separate-scripts.js";
import { readTags } from "./tags-in-text.js";
import { emptyOpenComments, readUnendedTags } from "./unended-tags.js";
import { blockDollars, escapeDollars, scriptDollar } from "./formula-dollars.js";
import { markCjkEmphasis, withoutMark } from "./cjk-emphasis.js";
import { findUnclosedCode } from "./unclosed-code.js";
import { usesComponents } from "./uses-components.js";
import { blankLineFiller, fillExports } from "./whole-exports.js";

interface ParsedPage {
    readonly root: HastNode;
    readonly placed: PlacedTree;
    /** The changes that made the page parseable. */
    readonly repairs: readonly Repair[];
    /** Missing if the page is read as Markdown. */
    readonly mdx?: ParsedMdx;
}

/** A tree with positions, and the text that they refer to. HTML in Markdown is raw text in it. */
interface PlacedTree {
    readonly root: HastNode;
    readonly text: string;
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
export function parsePage(source: string, isMdx: boolean): Omit<ParsedPage, "placed"> {
    const hasComponents = isReadAsMdx(source, isMdx);
    const read = readGitBookTags(source);
    const { text, repairs } = keepCells(read, hasComponents);
    const marked = markCjkEmphasis(text);
    const parsed = hasComponents ? parseComponents(escapeForeignTags(marked)) : parseMarkdown(marked);
    const { root, mdx } = marked === text ? parsed : withoutMarks(parsed);
    const found = [
        ...repairs,
        ...parsed.repairs,
        ...findForeignSyntax(read, hasComponents),
        ...findUnclosedCode(parsed.placed.root, parsed.placed.text, mdx !== undefined),
    ];
    const all = isNative() ? found : [{ line: found[0]?.line, reason: readByReference }, ...found];
    return { root, repairs: all, ...(mdx && { mdx }) };
}

const readByReference =
    "a fault in the fast Markdown parser ends its process at this page, so the reference parser reads the page. " +
    "Rewrite the lines around the first problem of the page";

function parseComponents(source: string): ParsedPage {
    const parsed = parseRepaired(source);
    const hasScripts = childrenOf(parsed.root).some(({ type }) => type === "mdxjsEsm");
    const separated =
        hasScripts && parsed.mdx ? separateScripts(parsed.mdx.restore(parsed.mdx.text), parsed.root) : undefined;
    if (separated === undefined) {
        return parsed;
    }
    const { scripts } = separated;
    const { root, ...others } = parseRepaired(separated.text);
    return {
        ...others,
        root: { type: "root", children: [...scripts, ...childrenOf(root)] } as HastNode,
        repairs: [...separated.repairs, ...parsed.repairs, ...others.repairs],
    };
}

function parseRepaired(source: string): ParsedPage {
    if (leavesTagsOpen(source)) {
        const reason = `the page is read as Markdown, because it leaves more than ${maxOpenTags} tags open`;
        const parsed = parseMarkdown(source);
        return { ...parsed, repairs: [{ line: undefined, reason }, ...parsed.repairs] };
    }
    try {
        return parseMdxTree(source);
    } catch (error) {
        const { text, repairs, isMdx } = repairMdx(source, error, (candidate) => void parseMdxTree(candidate));
        const parsed = isMdx ? parseMdxTree(text) : parseMarkdown(source);
        return { ...parsed, repairs: [...repairs, ...parsed.repairs] };
    }
}

export function parseMdx(source: string): HastNode {
    const marked = markCjkEmphasis(source);
    const parsed = parseMdxTree(marked);
    return (marked === source ? parsed : withoutMarks(parsed)).root;
}

function withoutMarks(parsed: ParsedPage): ParsedPage {
    const { root, mdx } = parsed;
    const restore = (part: string) => withoutMark(mdx?.restore(part) ?? part);
    return { ...parsed, root: mapTexts(root, withoutMark), ...(mdx && { mdx: { ...mdx, restore } }) };
}

function parseMdxTree(source: string): ParsedPage {
    const parse = (text: string, hasFormulas?: boolean) => mdxToHast(text, { features: featuresOf(text, hasFormulas) });
    const filled = fillExports(source);
    const moved = moveFootnotes(moveClosingTags(filled));
    const { text, repairs, hasFormulas } = withEscapedDollars(moved, (candidate) => parse(candidate, false));
    const root = parse(text, hasFormulas);
    return { ...withoutStandIns(root, text, source), placed: { root, text }, repairs };
}

/** @param text in which stand-ins may replace parts of the source */
function withoutStandIns(root: HastNode, text: string, source: string): Required<Pick<ParsedPage, "root" | "mdx">> {
    const used = standIns.filter(([standIn]) => text.includes(standIn) && !source.includes(standIn));
    const restore = (value: string) =>
        used.reduce((whole, [standIn, meant]) => whole.replaceAll(standIn, meant), value);
    return { root: used.length === 0 ? root : mapTexts(root, restore), mdx: { text, restore } };
}

/** The text that the native parser reads in place of what it would misread, with what is meant. */
const standIns = [
    [blankLineFiller, ""],
    [scriptDollar, "$"],
] as const;

/** @param parse parses the page without formulas; a formula such as `$x^{a b}$` is then invalid MDX */
function withEscapedDollars(source: string, parse: (text: string) => HastNode): ReturnType<typeof escapeDollars> {
    if (!dollar.test(source)) {
        return { text: source, repairs: [], hasFormulas: true };
    }
    for (const candidate of [source, withoutBraces(source)]) {
        try {
            return escapeDollars(source, parse(candidate));
        } catch {
            // Braces outside of formulas are at fault, too.
        }
    }
    return { text: source, repairs: [], hasFormulas: true };
}

const pairOfDollars = /(?<![\\$\w])\$(?![\s$])(?:[^$\n\\]|\\.)+?(?<!\s)\$(?![\w$])/g;

/** Replaces braces and tags between dollar signs with letters, so that all offsets remain. */
function withoutBraces(source: string): string {
    return rewriteOutsideCode(source, (text) => text.replace(pairOfDollars, (pair) => pair.replace(/[{}<>\\]/g, "x")));
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
    return isMdx || importsComponents(source) || showsComponents(source);
}

/** Mintlify also reads `.md` as MDX: a `.md` page may import the components that its tags name. */
function importsComponents(source: string): boolean {
    return importLine.test(source) && /<[A-Z]/.test(source) && importLine.test(source.replace(code, ""));
}

/** A page that uses Mintlify's components cannot be meant as plain Markdown. */
function showsComponents(source: string): boolean {
    return usesComponents(source) && usesComponents(source.replace(code, ""));
}

const importLine = /^import [^\n"']{1,200} from ["'][^\n"']{1,200}["'];?[ \t]*\r?$/m;

function parseMarkdown(source: string): ParsedPage {
    const parse = (text: string) => markdownToHast(text, { features: featuresOf(text, false) });
    const { text, repairs, hasFormulas } = withEscapedDollars(source, parse);
    const parsed = parseMarkdownText(text, hasFormulas);
    const { root } = withoutStandIns(parsed.root, text, source);
    return { ...parsed, root, repairs: [...repairs, ...parsed.repairs] };
}

function parseMarkdownText(text: string, hasFormulas: boolean): ParsedPage {
    const parse = (written: string) => markdownToHast(written, { features: featuresOf(written, hasFormulas) });
    // Skips the raw HTML in most pages, which contain tags only in code, because building a tree with raw HTML takes
    // twice the time.
    if (!htmlTag.test(text) || !htmlTag.test(text.replace(code, ""))) {
        const root = parse(text);
        if (!hasRawHtml(root)) {
            return { root, placed: { root, text }, repairs: [] };
        }
    }
    const ended = readUnendedTags(text, code);
    const tagged = readTags(ended.text, code);
    const tree = parse(tagged);
    const read = emptyOpenComments(tagged, tree);
    const plain = read === tagged ? tree : parse(read);
    // Raw HTML becomes elements, so that an element without a closing tag ends with its parent.
    const root = markdownToHast(read, { features: { ...featuresOf(read, hasFormulas), rawHtml: true } });
    if (hasFenceMetas(read)) {
        restoreFenceMetas(root, plain);
    }
    return { root, placed: { root: plain, text: read }, repairs: [...ended.repairs, ...findLostText(plain, root)] };
}

const htmlTag = /<[a-z/!?]/i;
/** Matches fenced code and inline code. A fence ends at a line of the same characters, or at the end of the page. */
export const code =
    /^(?:[ \t]|[-*+>][ \t]|\d+[.)][ \t])*(`{3,}(?=[^`\n]*$)|~{3,}(?!~))[^\n]*\n(?:(?:[^]*?\n)??[ \t>]*\1[`~]*[ \t]*\r?$|[^]*)|`[^`\n]+`/gm;
/**
 * The MDX parser's time grows with the square of the number of open tags, and a page with more open tags could not be
 * repaired.
 */
const maxOpenTags = 500;
const tag = /<(\/?)([a-z][\w.:-]*)(?![\w.:-])[^<>]*?(\/?)>/gi;

/** Whether a page leaves so many tags open that it is not read as MDX. */
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

function featuresOf(source: string, hasFormulas = true): Features {
    const features: Features = { headingAttributes: true };
    // In a table, the native parser pairs single dollar signs with any setting for formulas.
    return (hasFormulas ? source.includes("$") : blockDollars.test(source))
        ? { ...features, math: { singleDollarTextMath: hasFormulas } }
        : features;
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
