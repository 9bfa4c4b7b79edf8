import assert from "node:assert/strict";
import { withExport } from "../../support/site-fixture.js";
import { everyKeywordOf2, everyKeywordOf3 } from "./every-async-keyword.js";
import { shownOf2, shownOf3 } from "./shown-async-keywords.js";

describe("the page of a channel", () => {
    const pages = new Map<string, string>();

    before(async () => {
        const files = {
            "docs.json": JSON.stringify({ navigation: { pages: ["two", "three"] } }),
            "two.md": "---\nasyncapi: two.json rooms/{room}\n---\n",
            "three.md": "---\nasyncapi: three.json chat\n---\n",
            "two.json": JSON.stringify(everyKeywordOf2),
            "three.json": JSON.stringify(everyKeywordOf3),
        };
        await withExport(files, async ({ read, warnings }) => {
            assert.deepEqual(warnings, []);
            for (const page of ["two", "three"]) {
                const [, html = ""] = /<article[^>]*>([\s\S]*)<\/article>/.exec(await read(`${page}.html`)) ?? [];
                const plain = html.replace(/<[^>]*>/g, "|").replace(/\|+/g, "|");
                pages.set(page, `${html}\n${plain.replaceAll("&quot;", '"').replaceAll("&#39;", "'")}`);
            }
        });
    });

    for (const [page, keywords] of [
        ["two", shownOf2],
        ["three", shownOf3],
    ] as const) {
        for (const [keyword, text] of Object.entries(keywords)) {
            it(`shows ${keyword} from a document of version ${page}`, () => {
                assert.ok(pages.get(page)?.includes(text), `${text} is not in ${pages.get(page)?.split("\n").at(-1)}`);
            });
        }
    }
});
