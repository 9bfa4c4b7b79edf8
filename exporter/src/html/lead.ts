import { markdownToHast, type HastNode } from "satteri";
import { escapeHtml } from "../text/html-text.js";
import { childrenOf, hasRawHtml, onlyParagraph, textOf } from "../text/syntax-tree.js";

/** A page's description, as its front matter says it. */
export interface Lead {
    readonly html: string;
    /** Without any markup, for places that show none. */
    readonly text: string;
}

/**
 * Reads the Markdown of one line: code, emphasis, links. Tags and braces stand for themselves, because a description is
 * YAML's text and not a page's.
 */
export function readLead(description: string, render: (nodes: readonly HastNode[]) => string): Lead {
    const nodes = /[`*_[\\]/.test(description) ? inlineNodes(description) : undefined;
    return nodes === undefined
        ? { html: escapeHtml(description), text: description }
        : { html: render(nodes), text: nodes.map(textOf).join("") };
}

/** Undefined for what is more than one paragraph of inline Markdown. */
function inlineNodes(text: string): readonly HastNode[] | undefined {
    const paragraph = onlyParagraph(childrenOf(markdownToHast(text, { position: false })));
    return paragraph === undefined || hasRawHtml(paragraph) ? undefined : paragraph.children;
}
