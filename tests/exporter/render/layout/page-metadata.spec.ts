import assert from "node:assert/strict";
import { sidebarOf, warningsOf, withExport, type Files } from "../../support/site-fixture.js";

function siteOf(settings: object, files: Files): Files {
    const pages = Object.keys(files).map((file) => file.replace(/\.mdx?$/, ""));
    return { "docs.json": JSON.stringify({ navigation: { pages }, ...settings }), ...files };
}

/** Returns the contents of the head's tags by name, including the canonical address. */
function tagsOf(html: string): Record<string, string | undefined> {
    const tags = [...html.matchAll(/<meta (?:name|property)="([^"]*)" content="([^"]*)">/g)];
    const canonical = /<link rel="canonical" href="([^"]*)">/.exec(html)?.[1];
    return tags.reduce((found, [, name = "", content]) => ({ ...found, [name]: content }), { canonical });
}

describe("the tags in a page's head", () => {
    const files = siteOf(
        {
            seo: {
                metatags: {
                    canonical: "https://www.example.com/help/",
                    "og:title": "The site",
                    "og:site_name": "Help",
                    "twitter:site": "@example",
                    "google-site-verification": 'a"b',
                    viewport: "width=1",
                },
            },
        },
        {
            "a.md": "---\ntitle: A\ndescription: About A\nkeywords: [one, two words]\n---\n",
            "b.md": '---\ntitle: B\ncanonical: https://example.com/b\n"og:title": B & more\n"twitter:card": summary\nrobots: nofollow\n---\n',
        },
    );

    it("come from the site if the page sets no tags", async () => {
        await withExport(files, async (site) => {
            const tags = tagsOf(await site.read("a.html"));
            assert.equal(tags["canonical"], "https://www.example.com/help/a");
            assert.equal(tags["og:site_name"], "Help");
            assert.equal(tags["twitter:site"], "@example");
            assert.equal(tags["google-site-verification"], "a&quot;b");
            assert.equal(tags["viewport"], "width=device-width, initial-scale=1");
        });
    });

    it("come from the page if the page sets them", async () => {
        await withExport(files, async (site) => {
            const first = tagsOf(await site.read("a.html"));
            assert.equal(first["og:title"], "A");
            assert.equal(first["keywords"], "one, two words");
            const second = tagsOf(await site.read("b.html"));
            assert.equal(second["canonical"], "https://example.com/b");
            assert.equal(second["og:title"], "B &amp; more");
            assert.equal(second["twitter:card"], "summary");
            assert.equal(second["robots"], "nofollow");
        });
    });

    it("omit an invalid address, with a warning", async () => {
        const wrong = siteOf({ seo: { metatags: { canonical: "docs" } } }, { "a.md": "---\ncanonical: /a\n---\n# A" });
        await withExport(wrong, async (site) => {
            assert.equal(tagsOf(await site.read("a.html"))["canonical"], "https://docs.example.com/a");
        });
        assert.deepEqual(await warningsOf(wrong), [
            "docs.json:1: seo.metatags.canonical must be an address such as https://docs.example.com, got docs",
            "a.md:2: canonical must be an address such as https://docs.example.com/start",
        ]);
    });
});

describe("the visibility of a page", () => {
    const front = (key: string) => `---\ntitle: ${key.replace(/\W/g, "")}\n${key}\n---\nSome text.`;
    const files = {
        "open.md": "# Open",
        "noindex.md": front("noindex: true"),
        "unsearched.md": front("searchable: false"),
        "loose.md": "# Loose",
    };
    const navigation = { pages: ["open", "noindex", "unsearched"] };
    const foundBy = async (settings: object) => {
        const found: Record<string, string[]> = {};
        await withExport(siteOf({ navigation, ...settings }, files), async (site) => {
            const texts = { sitemap: await site.read("sitemap.xml"), llms: await site.read("llms.txt"), search: "" };
            texts.search = [...(await site.searchTexts()).values()].join("");
            for (const [place, text] of Object.entries(texts)) {
                found[place] = ["open", "noindex", "unsearched", "loose"].filter((name) => text.includes(name));
            }
        });
        return found;
    };

    it("depends on the page's front matter, and on whether the page is listed", async () => {
        assert.deepEqual(await foundBy({}), {
            sitemap: ["open", "unsearched"],
            llms: ["open", "unsearched"],
            search: ["open"],
        });
    });

    it("covers search engines even for an unlisted page if the site allows indexing", async () => {
        assert.deepEqual(await foundBy({ seo: { indexing: "all" } }), {
            sitemap: ["open", "unsearched", "loose"],
            llms: ["open", "unsearched", "loose"],
            search: ["open", "loose"],
        });
    });
});

describe("front matter", () => {
    it("can hide the links to neighbouring pages, and the method in the navigation", async () => {
        const files = siteOf(
            {},
            {
                "a.md": "# A",
                "b.md": "---\ntitle: B\napi: GET /b\nhideFooterPagination: true\nhideApiMarker: true\n---\n",
            },
        );
        await withExport(files, async (site) => {
            assert.match(await site.read("a.html"), /<nav class="neighbours"/);
            assert.doesNotMatch(await site.read("b.html"), /<nav class="neighbours"/);
            assert.deepEqual(sidebarOf(await site.read("b.html")), [
                ["a.html", "A"],
                ["b.html", "B"],
            ]);
        });
    });

    it("chooses the style of an icon in the navigation", async () => {
        const icons = ["solid", "regular"].map((type) => `---\ntitle: A\nicon: folder\niconType: ${type}\n---\n`);
        await withExport({ "a.md": icons[0] ?? "", "b.md": icons[1] ?? "" }, async (site) => {
            const [solid, regular] = [...(await site.read("a.html")).matchAll(/<svg class="icon".*?<\/svg>/g)];
            assert.notEqual(solid?.[0], regular?.[0]);
        });
    });

    it("marks a deprecated page in its title", async () => {
        await withExport({ "a.md": "---\ntitle: A\ndeprecated: true\n---\nText" }, async (site) => {
            assert.match(await site.read("a.html"), /<h1[^>]*>A <span class="badge orange">deprecated<\/span><\/h1>/);
        });
    });

    it("shows the operation of a page without an API document, with the site's server before the path", async () => {
        const files = siteOf(
            { api: { mdx: { server: "https://api.example.com/" } } },
            {
                "a.md": "---\ntitle: A\napi: POST /v1/users\n---\n",
                "b.md": "---\ntitle: B\napi: GET https://b.example.com/x\n---\n",
            },
        );
        await withExport(files, async (site) => {
            assert.match(
                await site.read("a.html"),
                /<p class="operation"><span class="method post">POST<\/span> <code>https:\/\/api.example.com\/v1\/users<\/code>/,
            );
            assert.match(await site.read("b.html"), /<code>https:\/\/b.example.com\/x<\/code>/);
        });
    });

    it("lists related pages under their own or custom titles, and warns about missing pages", async () => {
        const related = "related:\n  - /g/b\n  - Elsewhere: https://example.com\n  - /none";
        const files = { "g/a.md": `---\ntitle: A\n${related}\n---\nText`, "g/b.md": "---\ntitle: B page\n---\n" };
        await withExport(files, async (site) => {
            assert.match(
                await site.read("g/a.html"),
                /Related topics<\/p><ul><li><a href="b.html">B page<\/a><\/li><li><a href="https:\/\/example.com">Elsewhere<\/a><\/li>/,
            );
            assert.doesNotMatch(await site.read("g/b.html"), /Related topics/);
            assert.deepEqual(
                site.warnings.map(({ file, line, reason }) => [file, line, reason]),
                [["g/a.md", 3, "the link /none leads to no page and no file of this site"]],
            );
        });
    });

    it("sets the date of the last change, and shows it if the site or the page requests it", async () => {
        const page = (key: string) => `---\ntitle: A\nlastUpdatedDate: 2026-08-13\n${key}\n---\n`;
        const files = { "a.md": page("tag: x"), "b.md": page("timestamp: false"), "c.md": page("timestamp: true") };
        const shownIn = async (settings: object) => {
            const shown: string[] = [];
            await withExport(siteOf(settings, files), async (site) => {
                for (const name of ["a", "b", "c"]) {
                    const html = await site.read(`${name}.html`);
                    shown.push(
                        ...(html.includes('Last modified on <time datetime="2026-08-13">August 13, 2026<')
                            ? [name]
                            : []),
                    );
                }
                assert.match(await site.read("sitemap.xml"), /<lastmod>2026-08-13<\/lastmod>/);
            });
            return shown;
        };
        assert.deepEqual(await shownIn({}), ["c"]);
        assert.deepEqual(await shownIn({ metadata: { timestamp: true } }), ["a", "c"]);
    });
});

describe("the layout mode of a page", () => {
    const shown = async (mode: string) => {
        const parts: string[] = [];
        const page = `---\ntitle: A\nmode: ${mode}\n---\n## One\n\n## Two\n`;
        await withExport({ "a.md": page, "b.md": "# B" }, async (site) => {
            const html = await site.read("a.html");
            for (const part of ['id="page-title">A', 'class="toc"', 'class="neighbours"', "<footer"]) {
                parts.push(...(html.includes(part) ? [part] : []));
            }
            parts.push(/<div class="layout([^"]*)"/.exec(html)?.[1]?.trim() ?? "");
        });
        return parts;
    };

    it("can omit the table of contents", async () => {
        const rest = ['id="page-title">A', 'class="neighbours"', "<footer"];
        assert.deepEqual(await shown("wide"), [...rest, "without-toc wide"]);
        assert.deepEqual(await shown("center"), [...rest, "without-toc center"]);
    });

    it("can show only the body", async () => {
        assert.deepEqual(await shown("custom"), ["without-toc custom"]);
        assert.deepEqual(await shown("frame"), ["without-toc frame"]);
    });

    it("falls back to the default for an unknown mode", async () => {
        assert.deepEqual(await shown("assistant"), [
            'id="page-title">A',
            'class="toc"',
            'class="neighbours"',
            "<footer",
            "",
        ]);
    });
});
