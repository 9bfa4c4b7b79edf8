import assert from "node:assert/strict";
import { withExport } from "../../support/site-fixture.js";

const settings = JSON.stringify({ navigation: { pages: ["a", "deep/b"] } });
const pages = { "a.mdx": '<p className="own">A</p>', "deep/b.md": "# B" };

describe("the style sheets and scripts of a site", () => {
    it("are loaded by every page, in a layer that gives way to the theme", async () => {
        await withExport(
            { ...pages, "docs.json": settings, "css/two words.css": ".own { color: red }" },
            async (site) => {
                assert.match(
                    await site.read("deep/b.html"),
                    /<style>@import url\("\.\.\/css\/two%20words\.css"\) layer\(site\);<\/style>/,
                );
                assert.match(await site.read("a.html"), /@import url\("css\/two%20words\.css"\)/);
                assert.deepEqual(site.warnings, []);
            },
        );
    });

    it("are left to the builder of a folder without settings", async () => {
        await withExport({ ...pages, "own.css": "", "own.js": "alert(1)" }, async (site) => {
            assert.doesNotMatch(await site.read("a.html"), /own\.css/);
            assert.deepEqual(site.warnings, []);
        });
    });

    it("are told where they are scripts, which no page runs, but not where pages import them", async () => {
        const component = "export const Own = () => <b>own</b>\n";
        const page = 'import { Own } from "/own.js"\n\n<Own />\n';
        const files = { "docs.json": settings, "deep/b.md": "# B", "a.mdx": page, "own.js": component };
        await withExport({ ...files, "analytics.js": "track()" }, async (site) => {
            assert.doesNotMatch(await site.read("a.html"), /<script[^>]*analytics/);
            assert.deepEqual(
                site.warnings.map(({ file, reason }) => `${file}: ${reason}`),
                ["analytics.js: this script is on no page: an export runs no script of a site"],
            );
        });
    });
});
