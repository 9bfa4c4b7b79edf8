import { markCjkEmphasis } from "./cjk-emphasis.js";
import { moveClosingTags } from "./closing-tags.js";
import { escapeForeignTags, reportForeignSyntax } from "./foreign-syntax.js";
import { readGitBookTags } from "./gitbook-tags.js";
import { moveFootnotes } from "./indented-footnotes.js";
import { escapeManyReferences } from "./many-references.js";
import { type PageText, type Report } from "./page-text/page-text.js";
import { keepCells } from "./table-bars.js";
import { readTags } from "./tags-in-text.js";
import { readUnendedTags } from "./unended-tags.js";
import { fillExports } from "./whole-exports.js";

/** A change of a page's text before the parser reads it. */
interface Rewrite {
    readonly reason: string;
    /** The spec that compares the pages with a reference. */
    readonly oracle: string;
    readonly apply: (page: PageText, report: Report) => PageText;
}

const ofManyReferences: Rewrite = {
    reason: "the parser's memory grows with the square of the number of references in a paragraph",
    oracle: "many-references",
    apply: escapeManyReferences,
};

/** Changes, in their order, for text that Markdown reads in another way than its author. */
export const ofAuthors: readonly Rewrite[] = [
    {
        reason: "GitBook's hints and titles are tags on separate lines, which Markdown shows as text",
        oracle: "gitbook-tags.slow",
        apply: readGitBookTags,
    },
    {
        reason: "the syntax of other builders stays as text, so its author has to know",
        oracle: "foreign-syntax",
        apply: reportForeignSyntax,
    },
    { reason: "a bar in code ends the cell of a table", oracle: "table-bars", apply: keepCells },
    {
        reason: "emphasis next to CJK punctuation does not end without a space",
        oracle: "cjk-emphasis",
        apply: markCjkEmphasis,
    },
    {
        reason: "in MDX, the brace of a template's tag begins JavaScript",
        oracle: "foreign-syntax",
        apply: escapeForeignTags,
    },
    ofManyReferences,
];

/** Changes for text that the native parser of MDX reads in another way than the reference. */
export const ofNativeMdx: readonly Rewrite[] = [
    {
        reason: "a component ends at the first blank line after text in its JSX",
        oracle: "../../render/page/mdx-oracle.process",
        apply: fillExports,
    },
    {
        reason: "a tag that is closed in a list ends the process",
        oracle: "parser-oracle.slow",
        apply: moveClosingTags,
    },
    { reason: "indented footnotes are lost", oracle: "parser-oracle.slow", apply: moveFootnotes },
];

/** Changes for tags whose text browsers would hide or show elsewhere on a Markdown page. */
export const ofHtml: readonly Rewrite[] = [
    {
        reason: "text after a tag or comment without an end would be attributes or a comment",
        oracle: "unended-tags",
        apply: readUnendedTags,
    },
    {
        reason: "placeholders such as <your-key> would be elements, and a slash does not close an element",
        oracle: "../../render/page/raw-html-oracle.slow",
        apply: readTags,
    },
    ofManyReferences,
];

export function rewrite(page: PageText, rewrites: readonly Rewrite[], report: Report): PageText {
    return rewrites.reduce((text, { apply }) => apply(text, report), page);
}
