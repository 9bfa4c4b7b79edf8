import { type HastNode } from "satteri";
import { markdownToHast } from "../text/markdown-parser.js";
import { escapeHtml } from "../text/html-text.js";
import { childrenOf, hasRawHtml, onlyParagraph, textOf } from "../text/syntax-tree.js";

/** A page's description from its front matter. */
export interface Lead {
    readonly html: string;
    /** The description as plain text, for places without markup. */
    readonly text: string;
}

/**
 * Reads the Markdown of one line: code, emphasis, links. Tags and braces are plain text, because a description is a
 * YAML value, not part of a page.
 */
export function readLead(description: string, render: (nodes: readonly HastNode[]) => string): Lead {
    const nodes = /[`*_[\\]/.test(description) ? inlineNodes(description) : undefined;
    return nodes === undefined
        ? { html: escapeHtml(description), text: description }
        : { html: render(nodes), text: nodes.map(textOf).join("") };
}

/** A description as plain text on one line. */
export function textOfLead(description: string): string {
    return readLead(description, () => "")
        .text.replace(/\s+/g, " ")
        .trim();
}

/** The text of Markdown on one line, without markup, tags and comments, which API documents contain. */
export function textOfMarkdown(markdown: string): string {
    const text = mayHaveMarkup.test(markdown) ? textOf(markdownToHast(markdown, rawOptions)) : markdown;
    return text.replace(/\s+/g, " ").trim();
}

const rawOptions = { position: false, features: { rawHtml: true } };

const mayHaveMarkup = /[`*_[\]\\<&>#~|]|^[-+\d]/m;

/** Text as the Markdown of a description. Addresses become links as they are. */
export function leadOfText(text: string): string {
    return text.replace(/\b(?:https?:\/\/|www\.)[^\s<\\`*[\]]+|[\\`*_[\]<&]/g, (found) =>
        found.length > 1 ? found : `\\${found}`,
    );
}

/** Returns undefined unless the text is a single paragraph of inline Markdown. */
function inlineNodes(text: string): readonly HastNode[] | undefined {
    const paragraph = onlyParagraph(childrenOf(markdownToHast(text, { position: false })));
    return paragraph === undefined || hasRawHtml(paragraph) ? undefined : paragraph.children;
}
