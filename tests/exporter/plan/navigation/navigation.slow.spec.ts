import assert from "node:assert/strict";
import { openSearch } from "../../write/search/search-reader.js";
import { failureOf, sidebarOf, warningsOf, withExport } from "../../support/site-fixture.js";

const docs = (navigation: unknown, others: object = {}) =>
    JSON.stringify({ name: "Docs", ...others, navigation }, null, 4);

describe("the navigation of a folder", () => {
    it("lists pages by order and name, followed by folders as groups", async () => {
        const files = {
            "index.md": "---\ntitle: Home\n---",
            "b.md": "# B",
            "a.md": "# A",
            "z.md": "---\norder: 1\n---\n# Z",
            "getting-started/install.md": "# Install",
            "getting-started/index.md": "# Overview",
        };
        await withExport(files, async (site) => {
            const html = await site.read("a.html");
            assert.deepEqual(
                sidebarOf(html).map(([, text]) => text),
                ["Home", "Z", "A", "B", "Overview", "Install"],
            );
            assert.match(html, /<p class="group-title">Getting started<\/p>/);
        });
    });

    it("names a page by its title, its first heading or its file, and by sidebarTitle in the list", async () => {
        const files = {
            "index.md": "---\ntitle: Long title\nsidebarTitle: Short\n---",
            "a.md": "# A `heading`\n\nText",
            "my-page.md": "Text only",
        };
        await withExport(files, async (site) => {
            assert.deepEqual(sidebarOf(await site.read("index.html")), [
                ["index.html", "Short"],
                ["a.html", "A heading"],
                ["my-page.html", "My page"],
            ]);
            assert.match(await site.read("index.html"), /<h1[^>]*>Long title<\/h1>/);
        });
    });

    it("names a page by its first heading even after a picture, code or imports", async () => {
        const files = {
            "a.md": "![Logo](https://example.com/a.png)\n\n```sh\n# no heading\n```\n\n# After a picture\n\nText",
            "b.md": "Underlined\n==========\n\nText",
            "c.mdx": 'import A from "/d.mdx"\n\n# After an import\n\n<A />',
        };
        await withExport(files, async (site) => {
            assert.deepEqual(
                sidebarOf(await site.read("a.html")).map(([, name]) => name),
                ["After a picture", "Underlined", "After an import"],
            );
        });
    });

    it("names a page by the heading of its only section if the page begins with the heading", async () => {
        const files = { "a.md": "## Only *one* {#one}\n\n### Part\n", "b.md": "## One\n\n## Two\n" };
        await withExport(files, async (site) => {
            const html = await site.read("a.html");
            assert.deepEqual(
                sidebarOf(html).map(([, name]) => name),
                ["Only one", "B"],
            );
            assert.match(html, /<h1 id="one">Only <em>one<\/em><\/h1>/);
            assert.doesNotMatch(html, /<h2/);
            assert.match(await site.read("b.html"), /<h1[^>]*>B<\/h1>\s*<\/header>\s*<h2 id="one">/);
        });
    });

    it("exports a hidden page without listing it anywhere", async () => {
        await withExport({ "index.md": "# Home", "a.md": "---\nhidden: true\n---\n# Secret" }, async (site) => {
            assert.match(await site.read("a.html"), /<meta name="robots" content="noindex">/);
            assert.deepEqual(await (await openSearch(site.read)).find("secret"), []);
            assert.doesNotMatch(await site.read("sitemap.xml"), /\/a</);
            assert.deepEqual(sidebarOf(await site.read("index.html")), [["index.html", "Home"]]);
        });
    });

    it("marks the current page and links to its neighbours", async () => {
        await withExport({ "index.md": "# Home", "a/b.md": "# B", "a/c.md": "# C" }, async (site) => {
            const html = await site.read("a/b.html");
            assert.match(html, /<a href="b.html" aria-current="page">B<\/a>/);
            assert.match(html, /<a rel="prev" href="..\/index.html"><span>Previous<\/span><strong>Home<\/strong>/);
            assert.match(html, /<a rel="next" href="c.html">/);
        });
    });

    it("lists all pages of a small section of a large site", async () => {
        const tabs = [0, 1, 2].map((tab) => ({
            tab: `T${tab}`,
            groups: [0, 1].map((group) => ({
                group: `G${group}`,
                pages: Array.from({ length: 52 }, (_, at) => `t${tab}/g${group}/p${at}`),
            })),
        }));
        const pages = tabs.flatMap(({ groups }) => groups.flatMap((group) => group.pages));
        const files = Object.fromEntries(pages.map((route) => [`${route}.md`, "# P"]));
        await withExport({ ...files, "docs.json": JSON.stringify({ navigation: { tabs } }) }, async ({ read }) => {
            const html = await read("t1/g0/p0.html");
            assert.match(html, /<li class="group"><p class="group-title">G1<\/p><ul><li><a href="..\/g1\/p0.html">/);
            assert.match(html, /<a href="..\/g1\/p51.html">/);
        });
    });

    it("shows every group except the current page's group as a single link in a large site", async () => {
        const pages = Array.from({ length: 310 }, (_, index) => [`g${Math.floor(index / 31)}/p${index}.md`, "# P"]);
        await withExport(
            { "index.md": "# Home", ...(Object.fromEntries(pages) as Record<string, string>) },
            async (site) => {
                assert.equal(sidebarOf(await site.read("g3/p100.html")).length, 1 + 9 + 31);
            },
        );
    });
});

describe("the navigation of docs.json", () => {
    const pages = { "index.md": "# Home", "a.md": "# A", "b/c.mdx": "# C", "b/d.md": "# D", "loose.md": "# Loose" };

    it("lists pages in the order of docs.json, and exports all other pages without listing them", async () => {
        const navigation = {
            groups: [
                { group: "One", pages: ["b/c", { group: "Inner", pages: ["/b/d.md"] }] },
                { group: "Two", pages: ["a", "index"] },
            ],
        };
        await withExport({ ...pages, "docs.json": docs(navigation) }, async (site) => {
            assert.deepEqual(
                sidebarOf(await site.read("a.html")).map(([href]) => href),
                ["b/c.html", "b/d.html", "a.html", "index.html"],
            );
            assert.equal(site.pageCount, 5);
            assert.match(await site.read("loose.html"), /<meta name="robots" content="noindex">/);
            assert.ok(!(await site.files()).includes("docs.json"));
        });
    });

    it("fails if it lists only pages of another folder, and the error names the folder", async () => {
        const files = { "content/a.md": "# A", "content/b/c.md": "# C", "content/d.md": "# D" };
        const reason = await failureOf({ ...files, "docs.json": docs({ pages: ["a", "b/c"] }) });
        assert.match(
            reason,
            /do not exist[^]*: a, b\/c\. The folder content has these pages: move the settings there, and export that folder$/,
        );
        const partly = await failureOf({ ...files, "docs.json": docs({ pages: ["a", "e"] }) });
        assert.match(partly, /: a, e$/);
    });

    it("opens the nested group of the current page", async () => {
        const navigation = { groups: [{ group: "One", pages: ["index", { group: "Inner", pages: ["b/d"] }] }] };
        await withExport({ ...pages, "docs.json": docs(navigation) }, async (site) => {
            assert.match(await site.read("b/d.html"), /<details open><summary>Inner/);
            assert.match(await site.read("index.html"), /<details><summary>Inner/);
        });
    });

    it("shows tabs with separate sidebars, and external links", async () => {
        const navigation = {
            tabs: [
                { tab: "Guides", pages: ["index"] },
                { tab: "API", groups: [{ group: "All", pages: ["b/c"] }] },
                { tab: "Hidden", hidden: true, pages: ["a"] },
            ],
        };
        await withExport({ ...pages, "docs.json": docs(navigation) }, async (site) => {
            const html = await site.read("b/c.html");
            assert.match(
                html,
                /<li><a href="..\/index.html">Guides<\/a><\/li><li><a href="c.html" aria-current="true">API<\/a><\/li>/,
            );
            assert.deepEqual(
                sidebarOf(html).map(([, text]) => text),
                ["Guides", "API", "C"],
            );
        });
    });

    it("leaves out hidden groups and pages", async () => {
        const navigation = {
            groups: [
                { group: "One", hidden: true, pages: ["a"] },
                { group: "Two", pages: ["index", "b/d"] },
            ],
        };
        await withExport(
            { ...pages, "b/d.md": "---\nhidden: true\n---", "docs.json": docs(navigation) },
            async (site) => {
                assert.deepEqual(sidebarOf(await site.read("index.html")), [["index.html", "Home"]]);
            },
        );
    });

    it("uses the name, logo, icon, colours and links of the site", async () => {
        const settings = {
            logo: { light: "/logo.svg", dark: "/dark.svg", href: "https://example.com/?a&b" },
            favicon: "/icon.svg",
            colors: { primary: "#123456" },
            navbar: { links: [{ label: "Status", href: "https://status.example.com" }] },
        };
        const files = {
            ...pages,
            "logo.svg": "l",
            "dark.svg": "d",
            "icon.svg": "i",
            "docs.json": docs({ pages: ["b/c"] }, settings),
        };
        await withExport(files, async (site) => {
            const html = await site.read("b/c.html");
            assert.match(html, /<title>C &ndash; Docs<\/title>/);
            assert.match(
                html,
                /<img class="on-light" src="..\/logo.svg" alt="Docs"><img class="on-dark" src="..\/dark.svg" alt="Docs">/,
            );
            assert.match(html, /<a class="brand" href="https:\/\/example.com\/\?a&amp;b">/);
            assert.match(html, /<link rel="icon" href="..\/icon.svg">/);
            assert.match(html, /--accent-light:#123456/);
            assert.match(html, /<a href="https:\/\/status.example.com">Status<\/a>/);
        });
    });

    it("leaves out an entry without a page, and warns with the line of the entry", async () => {
        assert.deepEqual(await warningsOf({ ...pages, "docs.json": docs({ pages: ["index", "b/nope"] }) }), [
            'docs.json:6: navigation names the page "b/nope", but there is no b/nope.md or b/nope.mdx',
        ]);
        const naming = { ...pages, "docs.json": docs({ pages: ["index", "GET /users"] }) };
        assert.deepEqual(await warningsOf({ ...naming, "api.json": '{ "openapi": "3.1.0", "paths": {} }' }), [
            'docs.json:6: navigation names the endpoint "GET /users", but no OpenAPI document contains it',
        ]);
        assert.deepEqual(await warningsOf(naming), [
            "docs.json:6: the site has no OpenAPI document: add one, or remove the references to it from the pages",
        ]);
    });

    it("fails if the JSON is invalid, and the error names the line", async () => {
        assert.match(
            await failureOf({ ...pages, "docs.json": '{\n  "name": "x",\n  "navigation": {]\n}' }),
            /^docs\.json:3: not valid JSON: /,
        );
        assert.match(await failureOf({ ...pages, "docs.json": '{\n  "name": "x"' }), /^docs\.json:2: not valid JSON: /);
    });

    const notJson: [string, string, string][] = [
        [
            "a comma too many in a list",
            '{\n  "navigation": {\n    "pages": ["index",]\n  }\n}\n',
            "3: not valid JSON: value expected at ]",
        ],
        ["a comma too many in an object", '{\n  "name": "x",\n}\n', "3: not valid JSON: property name expected at }"],
        ["a missing comma", '{\n  "name": "x"\n  "logo": "y"\n}\n', '3: not valid JSON: comma expected at "logo"'],
        ["a missing value", '{\n  "name": ,\n  "logo": "x"\n}\n', "2: not valid JSON: value expected at ,"],
        ["a comment", '{\n  // name\n  "name": "x"\n}\n', "2: not valid JSON: invalid comment token at // name"],
        [
            "a text without its end",
            '{\n  "name": "x,\n  "logo": "y"\n}\n',
            '2: not valid JSON: unexpected end of string at "x,',
        ],
        ["no end", '{\n  "name": "x"\n\n\n', "2: not valid JSON: close brace expected at the end of the file"],
        ["nothing at all", "", "1: not valid JSON: value expected at the end of the file"],
    ];
    for (const [what, source, message] of notJson) {
        it(`fails with the line of ${what}, and reports the expected value`, async () => {
            assert.equal(await failureOf({ ...pages, "docs.json": source }), `docs.json:${message}`);
        });
    }

    it("fails if it lists no existing page", async () => {
        assert.match(await failureOf({ ...pages, "docs.json": docs("index") }), /navigation must be an object/);
        assert.match(await failureOf({ ...pages, "docs.json": docs({ pages: [] }) }), /navigation lists no page/);
        assert.equal(
            await failureOf({ ...pages, "docs.json": docs({ pages: ["start", "more"] }) }),
            "docs.json:5: navigation lists no page that the site has: navigation names 2 pages that do not exist, " +
                "so readers do not get them: start, more",
        );
    });

    it("warns first about the number of missing pages, and then about each page with its line", async () => {
        const pages = ["index", ...["a", "b", "c", "d", "b"].map((name) => `gone/${name}`)];
        const files = { "index.md": "# Home\n\n[dead](/dead)\n", "docs.json": docs({ pages }, { colour: "red" }) };
        const warnings = await warningsOf(files);
        const named = "gone/a, gone/b, gone/c and others";
        assert.deepEqual(warnings.slice(0, 3), [
            `docs.json:7: navigation names 4 pages that do not exist, so readers do not get them: ${named}`,
            'docs.json:7: navigation names the page "gone/a", but there is no gone/a.md or gone/a.mdx',
            'docs.json:8: navigation names the page "gone/b", but there is no gone/b.md or gone/b.mdx',
        ]);
        assert.equal(warnings.length, 7);
    });

    it("lists the pages of an unnamed group, with a warning if its name is missing rather than empty", async () => {
        const withGroup = (group: object) => ({ ...pages, "docs.json": docs({ pages: ["index", group] }) });
        await withExport(withGroup({ group: "", pages: ["a"] }), async (site) => {
            assert.match(await site.read("index.html"), /<nav[\s\S]*href="a\.html"/);
            assert.deepEqual(site.warnings, []);
        });
        assert.deepEqual(await warningsOf(withGroup({ pages: ["a"] })), [
            'docs.json:6: an entry of navigation has no group: {"pages":["a"]}',
        ]);
    });

    it("warns about an unknown icon with its line, even in the settings of an older site", async () => {
        const mint =
            '{\n"name": "x",\n"navigation": [{\n"group": "G",\n"icon": "no-such",\n"pages": ["index", "a"]\n}]\n}';
        const files = { "index.md": "# Home", "a.md": "# A", "mint.json": mint };
        await withExport(files, ({ warnings }) => {
            assert.deepEqual(
                warnings.map(({ kind, file, line }) => `${kind} ${file}:${line}`),
                ["icon mint.json:5"],
            );
            return Promise.resolve();
        });
    });

    it("leaves out values of the wrong type, with a warning", async () => {
        const style = { colors: { primary: "red;}</style>" } };
        const navigation = { groups: [{ pages: ["a"] }], pages: ["index", 7] };
        assert.deepEqual(await warningsOf({ ...pages, "docs.json": docs(navigation, style) }), [
            "docs.json:6: an entry of navigation is neither a page nor a group",
            'docs.json:8: an entry of navigation has no group: {"pages":["a"]}',
            "docs.json:4: colors.primary must be a colour such as #0d6e6e, got red;}</style>",
        ]);
    });
});
