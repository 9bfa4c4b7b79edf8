import assert from "node:assert/strict";
import { sidebarOf, warningsOf, withExport } from "../../support/site-fixture.js";

describe("a SUMMARY.md in a folder without settings", () => {
    it("is the navigation, with groups from headings and nested lists, and is not exported as a page", async () => {
        const files = {
            "SUMMARY.md":
                '# Table of contents\n\n* [Welcome](README.md)\n\n## Make <a href="#make" id="make"></a>\n\n* [Blocks](make/blocks/README.md)\n' +
                "  * [Tables](<make/blocks/two words.md>)\n* [Forum](https://example.com/forum)\n\n---\n\n[Last words](end.md)\n",
            "README.md": "# Welcome",
            "end.md": "# Last words",
            "make/blocks/README.md": "# Blocks",
            "make/blocks/two words.md": "# Tables",
            "apart.md": "# Apart",
        };
        await withExport(files, async (site) => {
            const html = await site.read("end.html");
            assert.deepEqual(
                sidebarOf(html).map(([, text]) => text),
                ["Welcome", "Blocks", "Tables", "Forum", "Last words"],
            );
            assert.match(html, /<p class="group-title">Make<\/p>/);
            assert.deepEqual(
                (await site.files()).filter((file) => /^(?:SUMMARY|apart)/.test(file)),
                ["apart.html", "apart.md"],
            );
            assert.deepEqual(site.warnings, []);
        });
    });

    it("is parsed as Markdown, but without comments and code, and with titles as plain text", async () => {
        const files = {
            "SUMMARY.md":
                "# Summary\n\n<!--\n- [Old](old.md)\n-->\n\n```\n- [Sample](sample.md)\n```\n\n# *First* part\n\n- [`a` and \\*](a.md)\n  - See [B](b.md).\n",
            "a.md": "# A",
            "b.md": "# B",
        };
        await withExport(files, async (site) => {
            const html = await site.read("b.html");
            assert.match(html, /<p class="group-title">First part<\/p>/);
            assert.match(html, />a and \*</);
            assert.deepEqual(site.warnings, []);
        });
    });

    it("warns about missing pages, with the line", async () => {
        const files = { "SUMMARY.md": "- [A](a.md)\n- [Gone](gone.md)\n", "a.md": "# A" };
        assert.deepEqual(await warningsOf(files), [
            "SUMMARY.md:2: the contents name gone.md, but there is no such page",
        ]);
    });

    it("warns about entries and headings that lead to no page, with the line", async () => {
        const lines = ["* [A](a.md)", "  * [Planned]()", "* Plain", "", "## Empty", "", "## Last", "", "* [B](b.md)"];
        const files = { "SUMMARY.md": lines.join("\n"), "a.md": "# A", "b.md": "# B" };
        const why = "because it has no link and no pages below it";
        assert.deepEqual(await warningsOf(files), [
            `SUMMARY.md:2: the contents leave out "Planned", ${why}`,
            `SUMMARY.md:3: the contents leave out "Plain", ${why}`,
            `SUMMARY.md:5: the contents leave out "Empty", ${why}`,
        ]);
    });

    it("warns about links that Markdown does not read, and names their groups without the brackets", async () => {
        const files = {
            "SUMMARY.md": "* [X](sp ace.md)\n* [Y](a b.md)\n  * [A](a.md)\n* [B](b.md) and [C][none]\n",
            "sp ace.md": "# X",
            "a.md": "# A",
            "b.md": "# B",
        };
        await withExport(files, async ({ read, warnings }) => {
            const advice = "write an address with spaces or brackets between < and >, such as [Name](<two words.md>)";
            assert.deepEqual(
                warnings.filter(({ kind }) => kind === "navigation").map(({ line, reason }) => `${line}: ${reason}`),
                [
                    ["1", "[X](sp ace.md)"],
                    ["2", "[Y](a b.md)"],
                    ["4", "[C][none]"],
                ].map(
                    ([line, link]) => `${line}: the contents leave out ${link}, which is not a valid link: ${advice}`,
                ),
            );
            assert.match(await read("b.html"), /<p class="group-title">Y<\/p>/);
        });
    });

    it("has a group for each heading, below the groups of the headings above it", async () => {
        const files = {
            "SUMMARY.md":
                "# Summary\n\n# Guide\n\n## 10\n\n### Basics\n\n* [A10](a.md)\n\n## 9\n\nOld.\n\n### Basics\n\n* [A9](b.md)\n\n## [Last](c.md)\n",
            "a.md": "# A",
            "b.md": "# B",
            "c.md": "# C",
        };
        await withExport(files, async ({ read, warnings }) => {
            const [sidebar = ""] = /<nav[^>]*class="sidebar[^]*?<\/nav>/.exec(await read("b.html")) ?? [];
            const names = [...sidebar.matchAll(/<(?:p class="group-title"|summary|a [^>]*)>([^<]+)</g)];
            assert.deepEqual(
                names.map(([, name]) => name),
                ["Guide", "10", "Basics", "A10", "9", "Basics", "A9", "Last"],
            );
            assert.deepEqual(warnings, []);
        });
    });

    it("has an entry for each link, also for several in one item", async () => {
        const files = {
            "SUMMARY.md": "- [A](a.md) and [B](b.md)\n  - [C](c.md)\n",
            "a.md": "",
            "b.md": "",
            "c.md": "",
        };
        await withExport(files, async ({ read }) => {
            const links = sidebarOf(await read("a.html")).map(([, text]) => text);
            assert.deepEqual(links, ["A", "C", "B"]);
        });
    });

    it("names pages and parts of pages by its own labels, also in the links to the next page", async () => {
        const files = {
            "SUMMARY.md": [
                '* [Intro](README.md "Start here")',
                "* [Videos](docs/resources.md#videos)",
                "* [Articles](docs/resources.md#articles)",
                "* [Concepts](docs/concepts.md)",
                "  * [Using JSON](docs/concepts.md#json)",
                "  * [Again](README.md)",
                "* [With parts](docs/concepts.md#json)",
                "  * [Paper](docs/paper.pdf)",
            ].join("\n"),
            "README.md": "# Of the repository",
            "docs/resources.md": "# T resources\n\n## Videos\n\n## Articles",
            "docs/concepts.md": "# T concepts\n\n## JSON",
            "docs/paper.pdf": "paper",
        };
        await withExport(files, async ({ read, warnings }) => {
            const html = await read("index.html");
            assert.deepEqual(sidebarOf(html), [
                ["index.html", "Start here"],
                ["docs/resources.html#videos", "Videos"],
                ["docs/resources.html#articles", "Articles"],
                ["docs/concepts.html", "Concepts"],
                ["docs/concepts.html#json", "Using JSON"],
                ["index.html", "Again"],
                ["docs/concepts.html#json", "With parts"],
                ["docs/paper.pdf", "Paper"],
            ]);
            assert.match(
                await read("docs/resources.html"),
                /rel="next" href="concepts\.html"><span>Next<\/span><strong>Concepts</,
            );
            assert.deepEqual(warnings, []);
        });
    });

    it("warns about links to parts that their pages do not have", async () => {
        const files = { "SUMMARY.md": "- [A](a.md#one)\n- [B](a.md#two)\n", "a.md": "# A\n\n## One" };
        assert.deepEqual(await warningsOf(files), [
            "SUMMARY.md:2: the link a.md#two leads to a.md, which has no heading or element with the id #two",
        ]);
    });

    it("is an ordinary page if it names no pages or if docs.json exists", async () => {
        await withExport({ "SUMMARY.md": "# In short\n\n- [B](https://example.com)", "a.md": "# A" }, async (site) => {
            assert.match(await site.read("SUMMARY.html"), /In short/);
        });
        const settings = JSON.stringify({ navigation: { pages: ["a", "SUMMARY"] } });
        await withExport({ "SUMMARY.md": "- [A](a.md)", "a.md": "# A", "docs.json": settings }, async (site) => {
            assert.equal(sidebarOf(await site.read("SUMMARY.html")).length, 2);
        });
    });
});
