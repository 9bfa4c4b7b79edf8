import assert from "node:assert/strict";
import { withExport } from "../../support/site-fixture.js";

describe("a folder with two index pages", () => {
    it("exports its README as well as its index if the navigation names the README", async () => {
        const files = {
            "index.md": "# Home\n\n[r](guides/README.md)",
            "guides/index.md": "# G",
            "guides/README.md": "# R",
        };
        for (const name of ["guides/README", "guides/readme", "/guides/README.md"]) {
            const settings = JSON.stringify({ navigation: { pages: ["index", "guides", name] } });
            await withExport({ ...files, "docs.json": settings }, async (site) => {
                assert.match(await site.read("guides.html"), /<h1 id="g">G</);
                assert.match(await site.read("guides/README.html"), /<h1 id="r">R</);
                assert.match(await site.read("index.html"), /<a href="guides\/README.html">r</);
                assert.deepEqual(site.warnings, []);
            });
        }
    });

    it("exports its index as well as the page with the folder's name if the navigation names the index", async () => {
        const settings = JSON.stringify({ navigation: { pages: ["guides", "guides/index"] } });
        await withExport({ "docs.json": settings, "guides.md": "# A", "guides/index.md": "# B" }, async (site) => {
            assert.match(await site.read("guides.html"), /<h1 id="a">A</);
            assert.match(await site.read("guides/index.html"), /<h1 id="b">B</);
            assert.deepEqual(site.warnings, []);
        });
    });

    it("exports its README as well as its index if a SUMMARY.md names the README", async () => {
        const files = {
            "SUMMARY.md": "* [I](a/index.md)\n* [R](a/README.md)\n",
            "a/index.md": "# I",
            "a/README.md": "# R",
        };
        await withExport(files, async (site) => {
            assert.match(await site.read("a/README.html"), /<h1 id="r">R</);
        });
    });
});
