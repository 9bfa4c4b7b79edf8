import assert from "node:assert/strict";
import { failureOf, withExport } from "../support/site-fixture.js";

describe("paths", () => {
    const files = {
        "index.md": "# Home",
        "guides/start.md": "# Start\n\n[home](/) [more](./more.md#x)",
        "guides/more.md": "# More",
        "hidden.md": "---\nhidden: true\n---\n# Hidden",
    };

    it("exports only the requested pages, and lists only these pages in the navigation", async () => {
        await withExport(
            files,
            async (site) => {
                assert.equal(site.pageCount, 1);
                const html = await site.read("guides/start.html");
                assert.doesNotMatch(html, /rel="next"|rel="prev"/);
                assert.ok(!(await site.files()).includes("guides/more.html"));
            },
            { paths: ["/guides/start"] },
        );
    });

    it("links to pages outside of this export at the domain of the whole site", async () => {
        await withExport(
            files,
            async (site) => {
                assert.match(await site.read("guides/start.html"), /href="https:\/\/docs.example.com\/guides\/more#x"/);
                assert.deepEqual(site.warnings, []);
            },
            { paths: ["guides/start"] },
        );
    });

    it("may request a hidden page", async () => {
        await withExport(files, (site) => assert.equal(site.pageCount, 1), { paths: ["hidden"] });
    });

    it("rejects a path without a page", async () => {
        assert.match(
            await failureOf(files, { paths: ["guides/nope"] }),
            /^guides\/nope: paths asks for this page, but the site has none/,
        );
        assert.match(await failureOf(files, { paths: [] }), /an empty list asks for no page at all/);
    });
});
