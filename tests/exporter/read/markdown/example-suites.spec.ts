import assert from "node:assert/strict";
import { markdownExamples } from "../../support/markdown-suites/examples.js";
import { namesOf } from "../../support/markdown-suites/reviewed-differences.js";

/** Returns the text between tags, without white space and without the exporter's links to headings. */
function textOf(html: string): string {
    return html
        .replace(/<a class="anchor"[^>]*>#<\/a>/g, "")
        .replace(
            /<script[^]*?<\/script>|<!---?>|<!--[^]*?-->|<[!?][^>]*>|<\/?[a-z](?:"[^"]*"|'[^']*'|[^>"'])*(?:>|$)|\s+/gi,
            "",
        )
        .replace(/&(lt|gt|quot|amp);/g, (_, name: string) => ({ lt: "<", gt: ">", quot: '"', amp: "&" })[name] ?? "");
}

describe("An example of CommonMark or GFM", () => {
    it("has the text of the reference, except for the reviewed differences", () => {
        const examples = markdownExamples();
        assert.ok(examples.length > 690);
        const different = examples.filter(({ html, reference }) => textOf(html) !== textOf(reference));
        assert.deepEqual(different.map(({ name }) => name).sort(), namesOf("text"));
    });
});
