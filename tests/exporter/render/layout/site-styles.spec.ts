import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { frameIds } from "../../../../exporter/src/render/layout/frame-ids.js";
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

    it("find the parts of a page by the ids that the guide lists", async () => {
        const guide = await readFile(new URL("../../../../docs/guides/writing-pages.mdx", import.meta.url), "utf8");
        const banner = { content: "News" };
        const site = { ...pages, "docs.json": JSON.stringify({ banner, navigation: { pages: ["a", "deep/b"] } }) };
        await withExport({ ...site, "a.mdx": "## One\n\n## Two\n" }, async ({ read }) => {
            const html = await read("a.html");
            for (const [id, part] of Object.entries(frameIds)) {
                assert.equal(html.split(` id="${id}"`).length, 2, id);
                assert.ok(guide.includes(`| \`#${id}\` | ${part} |`), id);
            }
        });
    });

    it("leave an id to the heading that has it, and the frame's links still work", async () => {
        const headings = Object.keys(frameIds).map((id) => `## ${id}\n\nText\n`);
        const banner = { content: "News" };
        const site = {
            "a.mdx": headings.join("\n"),
            "docs.json": JSON.stringify({ banner, navigation: { pages: ["a"] } }),
        };
        await withExport(site, async ({ read }) => {
            const html = await read("a.html");
            for (const id of Object.keys(frameIds)) {
                assert.equal(html.split(` id="${id}"`).length, 2, id);
                assert.match(html, new RegExp(`<h2 id="${id}"`));
            }
            assert.match(html, /href="#static-export-content-area"[\s\S]*<main id="static-export-content-area"/);
        });
    });

    it("find a class on html for the initial colours", async () => {
        const dark = JSON.stringify({ appearance: { default: "dark" }, navigation: { pages: ["a"] } });
        await withExport({ "a.mdx": "A", "docs.json": dark }, async ({ read }) => {
            assert.match(await read("a.html"), /<html[^>]* class="dark"/);
        });
    });

    it("are reported if they hide every page", async () => {
        const css = "a { color: red }\nhtml:not([data-ready]) { visibility: hidden }\n";
        await withExport({ ...pages, "docs.json": settings, "own.css": css }, ({ warnings }) => {
            const [{ file, line, reason } = { file: "", line: 0, reason: "" }, ...others] = warnings;
            assert.deepEqual([file, line, others], ["own.css", 2, []]);
            assert.match(reason, /^the rule for html:not\(\[data-ready\]\) would hide every page/);
        });
    });

    it("are not the only cause: a page without visible text is reported", async () => {
        const hidden = '<Visibility for="agents">For agents alone</Visibility>\n';
        await withExport({ ...pages, "docs.json": settings, "a.mdx": hidden }, ({ warnings }) => {
            assert.deepEqual(
                warnings.map(({ file, reason }) => `${file}: ${reason.slice(0, 17)}`),
                ["a.mdx: the page is blank"],
            );
        });
        await withExport(
            { ...pages, "docs.json": settings, "a.mdx": "![A](/a.png)\n", "a.png": "" },
            ({ warnings }) => {
                assert.ok(warnings.every(({ reason }) => !reason.startsWith("the page is blank")));
            },
        );
    });

    it("are not loaded if the site has no settings file", async () => {
        await withExport({ ...pages, "own.css": "", "own.js": "alert(1)" }, async (site) => {
            assert.doesNotMatch(await site.read("a.html"), /own\.css/);
            assert.deepEqual(site.warnings, []);
        });
    });

    it("are reported if they are scripts, which no page runs, unless pages import them", async () => {
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
