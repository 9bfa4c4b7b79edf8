import assert from "node:assert/strict";
import fc from "fast-check";
import rehypeRaw from "rehype-raw";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { scaled } from "../../../scale.js";
import { rawHtmlPages } from "../../support/raw-html-pages.js";
import { readersView } from "../../support/readers-view.js";
import { renderedPage } from "../../support/rendered-page.js";

const processor = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(remarkRehype, { allowDangerousHtml: true })
    .use(rehypeRaw)
    .use(rehypeStringify);

const theirs = (source: string) => readersView(String(processor.processSync(source)));
const ours = (source: string) => readersView(renderedPage("a.md", source).html);

const wordsOf = (view: string) => view.match(/\bw\d+\b/g) ?? [];
/** Comments, instructions and scripts, which the reference shows as text in an open `<title>`. */
const unseen = /<!--[^]*?-->|<\?[^]*?\?>|<script>[^]*?<\/script>/g;

describe("Raw HTML in a Markdown page", () => {
    it("shows what remark and rehype show of it, for random pages without lone tags", function () {
        this.timeout(0);
        fc.assert(
            fc.property(rawHtmlPages({ withLoneTags: false }), (source) => {
                assert.equal(ours(source), theirs(source));
            }),
            { numRuns: scaled({ short: 400, long: 4000 }) },
        );
    });

    // A tag without its partner is text where its element makes no sense, so the elements differ.
    it("shows each word that remark and rehype show of it, for random pages with lone tags", function () {
        this.timeout(0);
        fc.assert(
            fc.property(rawHtmlPages({ withLoneTags: true }), (source) => {
                const expected = new Set(wordsOf(theirs(source)));
                const shown = new Set(wordsOf(ours(source)));
                const lost = wordsOf(source.replace(unseen, "")).filter(
                    (word) => expected.has(word) && !shown.has(word),
                );
                assert.deepEqual(lost, []);
            }),
            { numRuns: scaled({ short: 400, long: 4000 }) },
        );
    });
});
