import assert from "node:assert/strict";
import { markdownExamples } from "../support/markdown-suites/examples.js";
import { namesOf } from "../support/markdown-suites/reviewed-differences.js";
import { canonicalHtml } from "./support/canonical-html.js";
import { useSitePages } from "./support/site-page.js";

describe("The examples of CommonMark and GFM in a browser", function () {
    this.timeout(60_000);
    const withPage = useSitePages();
    const examples = markdownExamples();
    const htmls = JSON.stringify(examples.map(({ html, reference }) => [html, reference]));
    const withDifferent = (write: string, use: (names: string[]) => void) =>
        withPage({ "index.md": "# Home\n\nText\n" }, async (page) => {
            const written = await page.evaluate<[string, string][]>(
                `(() => { const write = ${write}; return ${htmls}.map((pair) => pair.map(write)); })()`,
            );
            use(
                examples
                    .filter((_, at) => written[at]?.[0] !== written[at]?.[1])
                    .map(({ name }) => name)
                    .sort(),
            );
        });

    it("have the elements of the reference, except for the reviewed differences", async () => {
        await withDifferent(canonicalHtml, (names) => {
            assert.deepEqual(names, [...namesOf("text"), ...namesOf("elements")].sort());
        });
    });

    it("show all their text on a page", async () => {
        const visibleText = String.raw`(html) => {
            const article = document.querySelector("article");
            article.innerHTML = html;
            article.querySelectorAll("a.anchor").forEach((each) => each.remove());
            return article.innerText.toLowerCase().replace(/\s+/g, "");
        }`;
        await withDifferent(visibleText, (names) => assert.deepEqual(names, namesOf("text")));
    });
});
