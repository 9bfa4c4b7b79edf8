import assert from "node:assert/strict";
import { sidebarOf, warningsOf, withExport } from "../../support/site-fixture.js";

const site = (navigation: unknown, others: object = {}) => JSON.stringify({ name: "Docs", navigation, ...others });

const headerOf = (html: string) => /<header[\s\S]*?<\/header>/.exec(html)?.[0] ?? "";

describe("a site with languages, versions, tabs or products", () => {
    const translated = {
        "index.md": "# Home",
        "guide.md": "# Guide",
        "de/index.md": "# Start",
        "de/guide.md": "# Anleitung",
        "ar/index.md": "# A",
        "docs.json": site({
            languages: [
                { language: "en", default: true, pages: ["index", "guide"] },
                { language: "de", pages: ["de/index", "de/guide"] },
                { language: "ar", pages: ["ar/index"] },
            ],
        }),
    };

    it("links to the same page in another language, or else to the language's first page", async () => {
        await withExport(translated, async ({ read }) => {
            const html = await read("guide.html");
            const menu = /<details class="switcher">[\s\S]*?<\/details>/.exec(html)?.[0] ?? "";
            assert.match(menu, /<summary[^>]*>.*English<\/summary>/);
            assert.match(menu, /<a href="de\/guide.html" lang="de">Deutsch<\/a>/);
            assert.match(menu, /<a href="ar.html" lang="ar">/);
        });
    });

    it("uses the language tags of browsers, regardless of the names in the settings", async () => {
        const languages = [
            { language: "en", pages: ["index"] },
            { language: "cn", pages: ["cn/index"] },
            { language: "pt_BR", pages: ["pt/index"] },
        ];
        const files = {
            "docs.json": JSON.stringify({ navigation: { languages } }),
            "index.md": "# A",
            "cn/index.md": "# B",
            "pt/index.md": "# C",
        };
        await withExport(files, async ({ read }) => {
            const html = await read("cn.html");
            assert.match(html, /<html lang="zh" /);
            assert.match(html, /hreflang="zh"/);
            assert.match(html, /<a href="pt.html" lang="pt-BR">/);
            assert.match(html, /lang="zh" aria-current="true">中文</);
        });
    });

    it("sets the language and direction of a page, and lists its translations", async () => {
        await withExport(translated, async ({ read }) => {
            const html = await read("de/guide.html");
            assert.match(html, /<html lang="de" data-root="..\/">/);
            assert.match(html, /<link rel="alternate" hreflang="en" href="https:\/\/docs.example.com\/guide">/);
            assert.doesNotMatch(html, /hreflang="ar"/);
            assert.match(await read("ar.html"), /<html lang="ar" dir="rtl"/);
        });
    });

    it("shows versions in a menu that links to the same page of each version, or else to its first page", async () => {
        const files = {
            "v1/a.md": "# A1",
            "v1/b.md": "# B1",
            "v2/a.md": "# A2",
            "docs.json": site({
                versions: [
                    { version: "v2", tag: "Latest", pages: ["v2/a"] },
                    { version: "v1", pages: ["v1/a", "v1/b"] },
                ],
            }),
        };
        await withExport(files, async ({ read }) => {
            assert.match(headerOf(await read("v1/a.html")), /<a href="..\/v2\/a.html">v2 <span class="nav-tag">Latest/);
            assert.match(headerOf(await read("v1/b.html")), /<a href="..\/v2\/a.html">v2/);
            assert.deepEqual(
                sidebarOf(await read("v1/b.html")).map(([, text]) => text),
                ["A1", "B1"],
            );
        });
    });

    it("nests tabs in products, with separate choices at each level", async () => {
        const files = {
            "one.md": "# One",
            "two.md": "# Two",
            "three.md": "# Three",
            "docs.json": site({
                products: [
                    {
                        product: "P",
                        tabs: [
                            { tab: "T1", pages: ["one"] },
                            { tab: "T2", pages: ["two"] },
                        ],
                    },
                    { product: "Q", description: "The other", pages: ["three"] },
                ],
            }),
        };
        await withExport(files, async ({ read }) => {
            const header = headerOf(await read("two.html"));
            assert.match(
                header,
                /<ul class="sections"><li><a href="one.html">T1<\/a><\/li><li><a href="two.html" aria-current="true">T2/,
            );
            assert.match(header, /<a href="three.html">Q<span class="choice-text">The other<\/span>/);
            assert.doesNotMatch(headerOf(await read("three.html")), /sections/);
        });
    });

    it("shows anchors and global links above the pages, and bare addresses as external links", async () => {
        const files = {
            "a.md": "# A",
            "b.md": "# B",
            "docs.json": site({
                global: { anchors: [{ anchor: "Blog", icon: "newspaper", href: "https://blog.example.com" }] },
                anchors: [
                    { anchor: "Guides", pages: ["a"] },
                    { anchor: "API", pages: ["b"] },
                    { anchor: "Forum", href: "https://forum.example.com" },
                ],
            }),
        };
        await withExport(files, async ({ read }) => {
            const html = await read("a.html");
            assert.deepEqual(
                sidebarOf(html).map(([href]) => href),
                ["a.html", "b.html", "https://forum.example.com", "a.html"],
            );
            assert.match(html, /<a href="https:\/\/blog.example.com"><svg class="icon"[\s\S]*?<\/svg>Blog<\/a>/);
        });
    });

    it("shows icons, tags, root pages and external links in the sidebar", async () => {
        const files = {
            "a.md": "---\ntitle: A\nicon: house\ntag: NEW\n---",
            "b.md": "---\ntitle: B\nurl: https://b.example.com\n---",
            "c.md": "---\ntitle: C\ndeprecated: true\n---",
            "root.md": "# Root",
            "docs.json": site({
                groups: [{ group: "G", icon: "book", tag: "Beta", root: "root", pages: ["a", "b", "c"] }],
            }),
        };
        await withExport(files, async ({ read }) => {
            const html = await read("a.html");
            assert.match(html, /<p class="group-title"><svg[\s\S]*?<\/svg>G <span class="nav-tag">Beta<\/span><\/p>/);
            assert.match(html, /<svg class="icon"[\s\S]*?<\/svg>A <span class="nav-tag">NEW<\/span>/);
            assert.match(html, /<a href="https:\/\/b.example.com">B<\/a>/);
            assert.match(html, /<s>C<\/s>/);
            assert.equal(sidebarOf(html)[0]?.[0], "root.html");
        });
    });
});

describe("the settings of a site", () => {
    it("are merged from the files in $ref", async () => {
        const files = {
            "a.md": "# A",
            "docs.json": '{ "name": "Docs", "navigation": { "$ref": "./config/nav.json" } }',
            "config/nav.json": '{ "pages": [{ "$ref": "./page.json" }] }',
            "config/page.json": '{ "group": "G", "pages": ["a"] }',
        };
        await withExport(files, async ({ read }) => {
            assert.match(await read("a.html"), /group-title">G</);
        });
    });

    it("may come from an older site's mint.json", async () => {
        const mint = {
            name: "Old",
            navigation: [
                { group: "Guides", pages: ["a"] },
                { group: "Endpoints", pages: ["api/b"] },
            ],
            tabs: [{ name: "API", url: "api" }],
            anchors: [{ name: "Blog", url: "https://blog.example.com" }],
            topbarLinks: [{ name: "Support", url: "mailto:help@example.com" }],
        };
        const files = { "a.md": "# A", "api/b.md": "# B", "mint.json": JSON.stringify(mint) };
        await withExport(files, async (exported) => {
            const html = await exported.read("a.html");
            assert.match(headerOf(html), /<a href="api\/b.html">API<\/a>/);
            assert.match(html, /<a href="https:\/\/blog.example.com">Blog<\/a>/);
            assert.match(html, /<a href="mailto:help@example.com">Support<\/a>/);
            assert.ok(!(await exported.files()).includes("mint.json"));
        });
    });

    it("set the page's banner, footer and initial colours", async () => {
        const files = {
            "a.md": "# A",
            "docs.json": site(
                { pages: ["a"] },
                {
                    banner: { content: "**New**: [see](/a)", dismissible: true },
                    footer: {
                        socials: { github: "https://github.com/x" },
                        links: [{ header: "Company", items: [{ label: "Jobs", href: "https://jobs.example.com" }] }],
                    },
                    appearance: { default: "dark", strict: true },
                },
            ),
        };
        await withExport(files, async ({ read }) => {
            const html = await read("a.html");
            assert.match(
                html,
                /<div class="banner"[^>]*><p><strong>New<\/strong>: <a href="a.html">see<\/a><\/p><button/,
            );
            assert.match(html, /<p>Company<\/p><ul><li><a href="https:\/\/jobs.example.com">Jobs<\/a>/);
            assert.match(html, /<html lang="en" data-root="" class="dark" data-theme="dark" data-theme-fixed>/);
        });
    });

    it("cause only one warning for a dead link in the banner", async () => {
        const banner = { content: "**New**: [see](/gone)" };
        const config = JSON.stringify({ navigation: { pages: ["a", "b"] }, banner }, undefined, 2);
        assert.deepEqual(await warningsOf({ "a.md": "# A", "b.md": "# B", "docs.json": config }), [
            "docs.json:9: the link /gone leads to no page and no file of this site",
        ]);
    });
});

describe("the page of a group", () => {
    const groups = (directory: object) => [
        {
            group: "Help",
            root: "help/index",
            ...directory,
            pages: [
                "help/faq",
                { group: "Start", icon: "play", root: "help/start/index", pages: ["help/start/install"] },
                { group: "API", root: "help/api/index", directory: "none", pages: ["help/api/list"] },
            ],
        },
    ];
    const files = (directory: object) => ({
        "docs.json": site({ groups: groups(directory) }),
        "help/index.md": "# Help",
        "help/faq.md": "---\ntitle: Questions\ndescription: What & why.\nicon: flag\n---\n",
        "help/start/index.md": "# Start here",
        "help/start/install.md": "# Install",
        "help/api/index.md": "# API",
        "help/api/list.md": "# List",
    });
    const listed = async (directory: object, page: string) => {
        let html = "";
        await withExport(files(directory), async ({ read }) => {
            html = /<nav class="directory".*?<\/nav>/.exec(await read(page))?.[0] ?? "";
        });
        return html.replace(/<svg.*?<\/svg>/g, "*");
    };

    it("lists the content of the group as cards or in folding sections", async () => {
        assert.match(
            await listed({ directory: "card" }, "help.html"),
            /\*<a href="help\/faq.html">Questions<\/a><\/p><div class="card-body"><p>What &amp; why\.<\/p><\/div><\/div>.*\*<a href="help\/start.html">Start<\/a>.*<a href="help\/api.html">API<\/a>/,
        );
        assert.match(
            await listed({ directory: "accordion" }, "help.html"),
            /<ul><li>\*<a href="help\/faq.html">Questions<\/a><\/li><\/ul><details class="accordion" open><summary>Start<\/summary><div><ul><li><a href="help\/start\/install.html">Install</,
        );
    });

    it("inherits the setting of the parent group unless the group sets its own", async () => {
        assert.match(await listed({ directory: "card" }, "help/start.html"), /<a href="start\/install.html">Install</);
        assert.equal(await listed({ directory: "card" }, "help/api.html"), "");
        assert.equal(await listed({ directory: "card" }, "help/faq.html"), "");
        assert.equal(await listed({}, "help.html"), "");
    });
});

describe("navigation entries that an export does not support", () => {
    it("are reported if they list pages from unsupported sources", async () => {
        const navigation = {
            groups: [
                { group: "G", pages: ["a"] },
                { group: "S", sdk: { format: "typedoc", source: "x.json" }, pages: ["a"] },
            ],
        };
        assert.deepEqual(await warningsOf({ "a.md": "# A", "docs.json": JSON.stringify({ navigation }) }), [
            "docs.json:1: sdk is not supported: the pages of its reference are not generated",
        ]);
    });
});
