import assert from "node:assert/strict";
import { sidebarOf, warningsOf, withExport } from "../../support/site-fixture.js";

describe("A file's name", () => {
    const composed = "caf\u00e9";
    const decomposed = "cafe\u0301";
    const names = [
        [composed, decomposed],
        [decomposed, composed],
    ] as const;

    for (const [ofFiles, ofLinks] of names) {
        const form = ofFiles === composed ? "composed" : "decomposed";

        it(`is found by links, pictures, imports and the navigation in the other Unicode form: ${form}`, async () => {
            const files = {
                "docs.json": JSON.stringify({ navigation: { pages: ["index", ofLinks] } }),
                "index.mdx": [
                    `import Part from "./snippets/${ofLinks}.mdx";`,
                    `[page](./${ofLinks}.md) [encoded](/${encodeURIComponent(ofLinks)}) ![](/${ofLinks}.png)`,
                    "<Part />",
                ].join("\n\n"),
                [`${ofFiles}.md`]: "---\ntitle: Coffee\n---\n",
                [`${ofFiles}.png`]: "picture",
                [`snippets/${ofFiles}.mdx`]: "zebra",
            };
            await withExport(files, async ({ read, files: list, warnings }) => {
                assert.deepEqual(warnings, []);
                const html = await read("index.html");
                const address = encodeURIComponent(composed);
                assert.deepEqual(sidebarOf(html)[1], [`${address}.html`, "Coffee"]);
                assert.equal(html.split(`<a href="${address}.html">`).length, 3 + 1);
                assert.match(html, new RegExp(`src="${address}\\.png"`));
                assert.match(html, /zebra/);
                assert.ok((await list()).includes(`${composed}.png`));
            });
        });

        it(`is found by a table of contents in the other Unicode form: ${form}`, async () => {
            const files = { "SUMMARY.md": `* [Coffee](${ofLinks}.md)\n`, [`${ofFiles}.md`]: "# Coffee\n" };
            assert.deepEqual(await warningsOf(files), []);
        });
    }

    it("is reported if two files have it in two Unicode forms", async () => {
        const files = { "index.md": "# Home\n", [`${composed}.txt`]: "1", [`${decomposed}.txt`]: "2" };
        await withExport(files, async ({ read, warnings }) => {
            assert.match(warnings[0]?.reason ?? "", /two files have this name, in two Unicode forms/);
            assert.equal(await read(`${composed}.txt`), "1");
        });
    });
});
