import assert from "node:assert/strict";
import { failureOf, withExport } from "../support/site-fixture.js";

describe("an export of certain paths", () => {
    const files = {
        "index.md": "# Home",
        "guides/start.md": "# Start\n\n[home](/) [more](./more.md#x)",
        "guides/more.md": "# More",
        "hidden.md": "---\nhidden: true\n---\n# Hidden",
    };

    it("contains only the requested pages, and lists no other pages in the navigation", async () => {
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

    it("links to all other pages at the domain of the whole site", async () => {
        await withExport(
            files,
            async (site) => {
                assert.match(await site.read("guides/start.html"), /href="https:\/\/docs.example.com\/guides\/more#x"/);
                assert.deepEqual(site.warnings, []);
            },
            { paths: ["guides/start"] },
        );
    });

    it("may include a hidden page", async () => {
        await withExport(files, (site) => assert.equal(site.pageCount, 1), { paths: ["hidden"] });
    });

    it("fails if a path has no page", async () => {
        assert.match(
            await failureOf(files, { paths: ["guides/nope"] }),
            /^guides\/nope: the export was asked for this page, but the site has no page at this address\. A path is a page/,
        );
        assert.match(await failureOf(files, { paths: [] }), /an empty list asks for no page/);
    });
});
