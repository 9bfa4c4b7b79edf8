import assert from "node:assert/strict";
import { type Files, sidebarOf, warningsOf, withExport } from "../../support/site-fixture.js";

const site = (settings: string, others: Files = {}): Files => ({
    ".gitbook.yaml": settings,
    "README.md": "# Of the repository",
    "docs/a.md": "# Title of A\n\n## 1. Install it\n\n[b](b.md)",
    "docs/b.md": "# Title of B",
    ...others,
});
const contents = "# Contents\n\n* [Label of A](a.md)\n* [B](b.md)\n";

describe("GitBook's settings (.gitbook.yaml)", () => {
    it("set the home page, to which its own name also leads", async () => {
        const files = site("structure:\n  readme: ./WELCOME.md\n", {
            "WELCOME.md": "# Welcome",
            "docs/b.md": "[home](../WELCOME.md)",
        });
        await withExport(files, async ({ read, files: list, warnings }) => {
            assert.match(await read("index.html"), /<h1[^>]*>Welcome</);
            assert.match(await read("docs/b.html"), /<a href="\.\.\/index\.html">home/);
            assert.ok(!(await list()).some((file) => /^(?:WELCOME|README|\.gitbook)/.test(file)));
            assert.deepEqual(warnings, []);
        });
    });

    it("set the file of the contents, whose links begin at its folder", async () => {
        const files = site("structure:\n  summary: docs/TOC.md\n", { "docs/TOC.md": contents });
        await withExport(files, async ({ read, files: list, warnings }) => {
            assert.deepEqual(sidebarOf(await read("docs/b.html")), [
                ["a.html", "Label of A"],
                ["b.html", "B"],
            ]);
            assert.ok(!(await list()).includes("docs/TOC.html"));
            assert.deepEqual(warnings, []);
        });
    });

    it("may contain invisible spaces from a web page", async () => {
        const settings = "root: ./\n\u200Bstructure:\n  readme: README.md\n  summary: docs/TOC.md\u200B\n";
        await withExport(site(settings, { "docs/TOC.md": contents }), async ({ read, warnings }) => {
            assert.deepEqual(sidebarOf(await read("docs/b.html")).at(0), ["a.html", "Label of A"]);
            assert.deepEqual(warnings, []);
        });
    });

    it("set the folder of the site, which all other paths begin at", async () => {
        const files = site("root: ./docs/\nstructure:\n  readme: b.md\nredirects:\n  old: a.md\n", {
            "docs/SUMMARY.md": contents,
        });
        await withExport(files, async ({ read, files: list, warnings }) => {
            assert.deepEqual(
                (await list()).filter((file) => file.endsWith(".html")),
                ["404.html", "a.html", "index.html", "old.html"],
            );
            assert.match(await read("index.html"), /<h1[^>]*>Title of B</);
            assert.deepEqual(warnings, []);
        });
    });

    for (const [what, settings, reason] of [
        ["a folder that is not there", "root: ./nope/\n", "root names nope, but there is no such folder in the site"],
        [
            "a list",
            "- root: docs\n",
            "nothing in this file has an effect: write settings by name, such as root: ./docs/",
        ],
    ] as const) {
        it(`cause a warning if they are without effect: ${what}`, async () => {
            assert.deepEqual(await warningsOf(site(settings)), [`.gitbook.yaml:1: ${reason}`]);
        });
    }

    it("redirect from old addresses to the pages of files", async () => {
        const redirects = [
            "old/page: docs/a.md",
            "help/: ./docs/a.md#part",
            "start: README.md",
            "away: https://example.com/",
            "none: docs/none.md",
            "docs/b: docs/a.md",
        ];
        const files = site(`root: ./\nredirects:\n${redirects.map((line) => `  ${line}\n`).join("")}`);
        await withExport(files, async ({ read, warnings }) => {
            assert.equal(
                await read("static-export/redirects.map"),
                '"/old/page" "/docs/a";\n"/help" "/docs/a#part";\n"/start" "/";\n"/away" "https://example.com/";\n"/none" "/docs/none.md";\n',
            );
            assert.match(await read("old/page.html"), /url=\.\.\/docs\/a\.html"/);
            assert.deepEqual(
                warnings.map(({ file, line, reason }) => `${file}:${line}: ${reason}`),
                [
                    ".gitbook.yaml:7: the redirect from /none leads to /docs/none.md, which is not a page or a file of this site",
                    ".gitbook.yaml:8: the redirect from /docs/b has no effect, because docs/b.md is at this address: remove one of the two",
                    ".gitbook.yaml:4: the link /docs/a#part leads to docs/a.md, which has no heading or element with the id #part",
                ],
            );
        });
    });

    const mistakes: [string, string, RegExp][] = [
        ["an unknown key", "structure:\n  glossary: G.md\n", /^\.gitbook\.yaml:2: the setting "glossary" is not known/],
        [
            "a folder outside of the site",
            "root: ../x\n",
            /^\.gitbook\.yaml:1: root has no effect: it must be a path within/,
        ],
        [
            "a missing home page",
            "structure:\n  readme: x.md\n",
            /^\.gitbook\.yaml:2: structure\.readme names x\.md, but/,
        ],
        [
            "missing contents",
            "structure:\n  summary: x.md\n",
            /^\.gitbook\.yaml:2: structure\.summary names x\.md, but/,
        ],
        [
            "text that is not YAML",
            "a: [\n",
            /^\.gitbook\.yaml:1: not valid YAML, so no setting of this file has an effect/,
        ],
        [
            "a redirect to another site without its scheme",
            "redirects:\n  a: //evil.example\n",
            /^\.gitbook\.yaml:2: the redirect from \/a is left out: its destination begins with two slashes/,
        ],
        ["a redirect without a target", "redirects:\n  a:\n", /^\.gitbook\.yaml:2: the redirect from a is left out/],
        [
            "a loop",
            "redirects:\n  x: y\n  y: x\n",
            /^\.gitbook\.yaml:2: the redirect from \/x is left out: it leads back/,
        ],
    ];
    for (const [what, settings, message] of mistakes) {
        it(`report ${what}`, async () => {
            assert.match((await warningsOf(site(settings))).join("\n"), message);
        });
    }

    it("have no effect on a site with a docs.json", async () => {
        const files = site("root: docs\n", { "docs.json": JSON.stringify({ navigation: { pages: ["docs/a"] } }) });
        await withExport(files, async ({ files: list, warnings }) => {
            assert.ok((await list()).includes("docs/a.html"));
            assert.deepEqual(warnings, []);
        });
    });

    it("for several sites (docs.yaml) are reported", async () => {
        const files = { "index.md": "# Home", "docs.yaml": "site:\n  title: Docs\n" };
        assert.deepEqual(await warningsOf(files), [
            "docs.yaml:1: docs.yaml of GitBook is not supported: export each folder that it names as a site",
        ]);
    });
});
