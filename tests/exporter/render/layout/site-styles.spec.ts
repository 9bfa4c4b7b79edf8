import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { frameIds } from "../../../../exporter/src/render/layout/frame-ids.js";
import { withExport } from "../../support/site-fixture.js";

/** The ids of parts that the theme's scripts add. */
const scriptIds = [
    "search-input",
    "chat-assistant-sheet",
    "chat-assistant-textarea",
    "multi-view-dropdown",
    "changelog-filters",
];
const settings = JSON.stringify({ navigation: { pages: ["a", "deep/b"] } });
const pages = { "a.mdx": '<p className="own">A</p>', "deep/b.md": "# B" };

/** Returns two pages with every part of the frame; the second page shows examples next to its text. */
function siteWithEverything(headings: readonly string[]): Record<string, string> {
    const examples = ["RequestExample", "ResponseExample"].map((name) => `<${name}>\n\n~~~sh\na\n~~~\n\n</${name}>`);
    const text = headings.join("\n\n");
    const languages = ["en", "de"].map((language, at) => ({ language, pages: at === 0 ? ["a", "b"] : ["c"] }));
    const docs = {
        banner: { content: "News" },
        navbar: { primary: { type: "button", label: "Start", href: "https://example.com" } },
        contextual: { options: ["copy", "view"] },
        feedback: { thumbsRating: true },
        integrations: { plausible: { domain: "docs.example.com" } },
        navigation: { languages },
    };
    return {
        "a.mdx": text,
        "b.mdx": `${examples.join("\n\n")}\n\n<Panel>A note</Panel>\n\n${text}`,
        "c.mdx": "C",
        "docs.json": JSON.stringify(docs),
    };
}

describe("the style sheets and scripts of a site", () => {
    it("are loaded by every page, in a layer with lower priority than the theme", async () => {
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

    it("can select page parts by the ids listed in the guide", async () => {
        const guide = await readFile(new URL("../../../../docs/guides/docs-json.md", import.meta.url), "utf8");
        await withExport(siteWithEverything(["## One", "## Two"]), async ({ read }) => {
            const [withToc, withBeside] = [await read("a.html"), await read("b.html")];
            for (const id of frameIds) {
                const html = /^(?:panel|request-example|response-example)$/.test(id) ? withBeside : withToc;
                assert.equal(html.split(` id="${id}"`).length, 2, id);
                assert.ok(guide.includes(`\`#${id}\``), id);
            }
        });
    });

    it("can select parts that scripts add by the ids listed in the guide", async () => {
        const root = new URL("../../../../", import.meta.url);
        const guide = await readFile(new URL("docs/guides/docs-json.md", root), "utf8");
        const names = ["search.js", "assistant.js", "views.js", "update-filter.js"];
        const theme = names.map((name) => readFile(new URL(`exporter/theme/${name}`, root), "utf8"));
        const scripts = (await Promise.all(theme)).join("\n");
        for (const id of scriptIds) {
            assert.match(scripts, new RegExp(`\\bid(?:=|: | = )"${id}"`));
            assert.ok(guide.includes(`\`#${id}\``), id);
        }
    });

    it("find a heading by an id that the frame also uses, while links in the frame still work", async () => {
        const headings = frameIds.map((id) => `## ${id}\n\nText\n`);
        await withExport(siteWithEverything(headings), async ({ read }) => {
            const html = await read("a.html");
            for (const page of [html, await read("b.html")]) {
                for (const id of frameIds) {
                    assert.equal(page.split(` id="${id}"`).length, 2, id);
                    assert.match(page, new RegExp(`<h2 id="${id}"`));
                }
            }
            assert.match(html, /href="#static-export-content-area"[\s\S]*<main id="static-export-content-area"/);
        });
    });

    it("can use a class on html for the initial colours", async () => {
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

    it("do not prevent warnings about pages that are blank for other reasons", async () => {
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

    it("are reported if they are scripts that no page imports", async () => {
        const component = "export const Own = () => <b>own</b>\n";
        const page = 'import { Own } from "/own.js"\n\n<Own />\n';
        const files = { "docs.json": settings, "deep/b.md": "# B", "a.mdx": page, "own.js": component };
        await withExport({ ...files, "analytics.js": "track()" }, async (site) => {
            assert.doesNotMatch(await site.read("a.html"), /<script[^>]*analytics/);
            assert.deepEqual(
                site.warnings.map(({ file, reason }) => `${file}: ${reason}`),
                ["analytics.js: this script is left out: an export does not run a site's scripts"],
            );
        });
    });
});
