import assert from "node:assert/strict";
import { withExport } from "../../support/site-fixture.js";
import { everyKeyword } from "../../support/every-keyword.js";
import { shownKeywords } from "../../support/shown-keywords.js";

describe("the page of an operation", () => {
    let html = "";

    before(async () => {
        const files = {
            "docs.json": JSON.stringify({ navigation: { pages: ["a"] } }),
            "a.md": "---\nopenapi: api.json POST /things/{id}\n---\n",
            "api.json": JSON.stringify(everyKeyword),
        };
        await withExport(files, async ({ read, warnings }) => {
            assert.deepEqual(warnings, []);
            html = /<article[^>]*>([\s\S]*)<\/article>/.exec(await read("a.html"))?.[1] ?? "";
        });
    });

    for (const [keyword, text] of Object.entries(shownKeywords)) {
        it(`shows ${keyword}`, () => {
            const plain = html
                .replace(/<[^>]*>/g, "|")
                .replace(/\|+/g, "|")
                .replaceAll("&quot;", '"');
            assert.ok(plain.includes(text) || html.includes(text), `${text} is not in ${plain}`);
        });
    }
});
