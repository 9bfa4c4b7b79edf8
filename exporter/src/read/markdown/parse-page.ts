import { markdownToHast, mdxToHast, type Features, type HastNode } from "satteri";
import { voidElements } from "../../html/known-elements.js";
import { childrenOf, hasRawHtml, onlyParagraph } from "../../text/syntax-tree.js";
import { quoteAdmonitions } from "./admonitions.js";
import { escapeForeignTags, findForeignSyntax } from "./foreign-syntax.js";
import { readUnknownTags } from "./unknown-tags.js";
import { hasFenceMetas, restoreFenceMetas } from "./fence-metas.js";
import { readGitBookTags } from "./gitbook-tags.js";
import { keepCells } from "./table-bars.js";
import { repairMdx, type Repair } from "./repair-mdx.js";
import { usesComponents } from "./uses-components.js";
import { withoutVueScripts } from "./vue-scripts.js";

export interface ParsedPage {
    readonly root: HastNode;
    /** What had to be changed so that the page could be read. */
    readonly repairs: readonly Repair[];
}

/**
 * Parses a page, front matter included; nothing in it is executed. MDX that does not parse is repaired place by place,
 * and read as Markdown when that does not help, so a slip costs its own place and not the page.
 */
export function parsePage(source: string, isMdx: boolean): ParsedPage {
    const page = isMdx ? source : withoutVueScripts(source);
    const hasComponents = isMdx || importsComponents(page) || showsComponents(page);
    const read = quoteAdmonitions(readGitBookTags(page), hasComponents);
    const { text, repairs } = keepCells(read);
    const parsed = hasComponents
        ? parseComponents(escapeForeignTags(text))
        : { root: parseMarkdown(text), repairs: [] };
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

/** Text in an attribute, without the paragraph around it; undefined when it does not parse. */
export function parseInline(text: string): readonly HastNode[] | undefined {
    try {
        const nodes = childrenOf(parseMdx(text));
        return onlyParagraph(nodes)?.children ?? nodes;
    } catch {
        return undefined;
    }
}

/** Docusaurus reads `.md` as MDX as well: such a page imports what its tags name. */
function importsComponents(source: string): boolean {
    return importLine.test(source) && /<[A-Z]/.test(source) && importLine.test(source.replace(code, ""));
}

/** Mintlify reads `.md` as MDX as well: a page that uses its components cannot be meant as plain Markdown. */
function showsComponents(source: string): boolean {
    return usesComponents(source) && usesComponents(source.replace(code, ""));
}

const importLine = /^import [^\n"']{1,200} from ["'][^\n"']{1,200}["'];?[ \t]*\r?$/m;

/** Raw HTML becomes elements, so that what an author left open is closed where its parent ends. */
function parseMarkdown(source: string): HastNode {
    const features = featuresOf(source);
    // A tree with raw HTML is built twice, which takes as long again: most pages show tags only in code.
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
/** A fence ends where its marks stand alone, or with the page. */
const code =
    /^(?:[ \t]|[-*+>][ \t]|\d+[.)][ \t])*(`{3,}(?=[^`\n]*$)|~{3,})[^\n]*\n(?:(?:[^]*?\n)??[ \t>]*\1[`~]*[ \t]*\r?$|[^]*)|`[^`\n]+`/gm;
/** The time that the parser of MDX takes grows with the square of these, and no page with so many could be repaired. */
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

/** `$…$` is a formula only on pages that show one: elsewhere it is money or a shell's variable. */
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
