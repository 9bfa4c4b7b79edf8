import assert from "node:assert/strict";
import { warningsOf, withExport } from "../../support/site-fixture.js";

const config = (redirects: unknown) => JSON.stringify({ redirects, navigation: { pages: ["index", "guides/new"] } });
const pages = { "index.md": "# Home", "guides/new.md": "# New" };

describe("redirects", () => {
    it("are pages at the old addresses that work from any folder", async () => {
        const redirects = [
            { source: "/old/page", destination: "/guides/new#start" },
            { source: "/away/", destination: "https://example.com/a?b=c&d" },
        ];
        await withExport({ ...pages, "docs.json": config(redirects) }, async (site) => {
            const old = await site.read("old/page.html");
            assert.match(old, /<meta http-equiv="refresh" content="0; url=\.\.\/guides\/new\.html#start">/);
            assert.match(old, /<a href="\.\.\/guides\/new\.html#start">/);
            assert.match(await site.read("away.html"), /url=https:\/\/example\.com\/a\?b=c&amp;d"/);
            assert.doesNotMatch(await site.read("sitemap.xml"), /old\/page/);
        });
    });

    it("do not overwrite pages or files of the site, and write nothing outside of its folder", async () => {
        const redirects = ["/guides/new", "/file", "/../out", "/static-export/site", "/", "/index"].map((source) => ({
            source,
            destination: "/guides/new",
        }));
        await withExport({ ...pages, "file.html": "mine", "docs.json": config(redirects) }, async (site) => {
            assert.match(await site.read("guides/new.html"), /<h1 id="new">New/);
            assert.equal(await site.read("file.html"), "mine");
            assert.deepEqual(
                (await site.files()).filter((file) => file.endsWith(".html")),
                ["404.html", "file.html", "guides/new.html", "index.html"],
            );
        });
    });

    it("never lead to a javascript: address", async () => {
        const redirects = [{ source: "/a", destination: "javascript:alert(1)" }];
        await withExport({ ...pages, "docs.json": config(redirects) }, async (site) => {
            assert.deepEqual((await site.files()).includes("a.html"), false);
        });
        const linked = { ...pages, "link.md": "[Go](/a)", "docs.json": config(redirects) };
        await withExport(linked, async ({ read }) => {
            assert.doesNotMatch(await read("link.html"), /javascript/);
        });
    });

    it("are written as an nginx map with patterns, without text that could inject configuration", async () => {
        const redirects = [
            { source: "/old", destination: "/guides/new" },
            { source: "/v1/:slug*", destination: "/v2/:slug*" },
            { source: "/by/:user-name/on/:day", destination: "https://example.com/:day/:user-name" },
            { source: '/x" "y"; } server {', destination: "/guides/new" },
            { source: "/y", destination: "/$host" },
            { source: "/price-in-$", destination: "/guides/new" },
            { source: "/$/:page", destination: "/v2/:page" },
        ];
        await withExport({ ...pages, "docs.json": config(redirects) }, async (site) => {
            assert.deepEqual((await site.read("static-export/redirects.map")).trim().split("\n"), [
                '"/old" "/guides/new";',
                '"~^/v1/(?<p1>.*)$" "/v2/${p1}";',
                '"/v1" "/v2";',
                '"~^/by/(?<p1>[^/]+)/on/(?<p2>[^/]+)$" "https://example.com/${p2}/${p1}";',
                '"/price-in-$" "/guides/new";',
                '"~^/\\$/(?<p1>[^/]+)$" "/v2/${p1}";',
            ]);
        });
    });

    it("are sorted in the map, which contains each address once, but no addresses of pages or files", async () => {
        const to = (destination: string) => (source: string) => ({ source, destination });
        const redirects = [
            ...["/v1/:page/edit", "/v1/:slug*", "/twice", "/guides/new", "/file", "/picture.svg"].map(to("/index")),
            ...["/twice"].map(to("/guides/new")),
        ];
        const files = { ...pages, "file.html": "mine", "picture.svg": "<svg/>", "docs.json": config(redirects) };
        await withExport(files, async (site) => {
            assert.deepEqual((await site.read("static-export/redirects.map")).trim().split("\n"), [
                '"~^/v1/(?<p1>[^/]+)/edit$" "/index";',
                '"~^/v1/(?<p1>.*)$" "/index";',
                '"/v1" "/index";',
                '"/twice" "/guides/new";',
            ]);
        });
    });

    it("become patterns in the map if nginx would confuse addresses that differ only in case", async () => {
        const sources = ["/Guides/New", "/old.page", "/Old.page", "/old.page"];
        const redirects = sources.map((source) => ({ source, destination: "/guides/new" }));
        await withExport({ ...pages, "docs.json": config(redirects) }, async (site) => {
            assert.deepEqual((await site.read("static-export/redirects.map")).trim().split("\n"), [
                '"~^/Guides/New$" "/guides/new";',
                '"/old.page" "/guides/new";',
                '"~^/Old\\.page$" "/guides/new";',
            ]);
        });
    });
});

describe("the addresses of redirects", () => {
    const page = (source: string, destination = "/guides/new") => ({ source, destination });

    it("match in any encoding, in pages, links and the map", async () => {
        const sources = ["/old%20page", "/caf%C3%A9", "/u%CC%88ber", "/with space"];
        const files = {
            ...pages,
            "index.md": "[a](/old%20page) [b](/café) [c](/%C3%BCber) [d](</with space>)",
            "docs.json": config(sources.map((source) => page(source))),
        };
        await withExport(files, async (site) => {
            assert.deepEqual(site.warnings, []);
            const links = (await site.read("index.html")).match(/<a href="guides\/new\.html">[a-d]</g);
            assert.equal(links?.length, 4);
            const found = await site.files();
            for (const file of ["old page.html", "café.html", "über.html", "with space.html"]) {
                assert.ok(found.includes(file), file);
            }
            assert.deepEqual((await site.read("static-export/redirects.map")).trim().split("\n"), [
                '"/old%20page" "/guides/new";',
                '"/caf%C3%A9" "/guides/new";',
                '"/%C3%BCber" "/guides/new";',
                '"/with%20space" "/guides/new";',
            ]);
        });
    });

    it("may have spaces around their addresses, and a target without its first slash", async () => {
        const redirects = [
            { source: " /old ", destination: " guides/new " },
            { source: "/older", destination: "./guides/new" },
            { source: "/v1/:slug", destination: "guides/:slug" },
        ];
        await withExport({ ...pages, "docs.json": config(redirects) }, async ({ read, warnings }) => {
            assert.deepEqual((await read("static-export/redirects.map")).trim().split("\n"), [
                '"/old" "/guides/new";',
                '"/older" "/guides/new";',
                '"~^/v1/(?<p1>[^/]+)$" "/guides/${p1}";',
            ]);
            assert.deepEqual(warnings, []);
        });
    });

    it("may lead to a section, with a query, and in letters of any script", async () => {
        const redirects = [page("/a", "/guides/new?tab=x#one"), page("/b/:x", "/guides/über?ref=:x#two")];
        const files = { ...pages, "guides/über.md": "# Two", "docs.json": config(redirects) };
        await withExport(files, async (site) => {
            const html = await site.read("a.html");
            assert.ok(html.includes('content="0; url=guides/new.html?tab=x#one"'));
            assert.ok(html.includes('rel="canonical" href="https://docs.example.com/guides/new?tab=x#one"'));
            assert.deepEqual((await site.read("static-export/redirects.map")).trim().split("\n"), [
                '"/a" "/guides/new?tab=x#one";',
                '"~^/b/(?<p1>[^/]+)$" "/guides/%C3%BCber?ref=${p1}#two";',
            ]);
        });
    });

    it("keep the reader's query and anchor, unless the target has its own", async () => {
        const redirects = [page("/a"), page("/b", "/guides/new?x=1"), page("/c", "/guides/new#one")];
        await withExport({ ...pages, "docs.json": config(redirects) }, async ({ read }) => {
            const scriptOf = async (name: string) => /<script>(.*)<\/script>/.exec(await read(`${name}.html`))?.[1];
            assert.deepEqual(await Promise.all(["a", "b", "c"].map(scriptOf)), [
                'if(location.search+location.hash)location.replace("guides/new.html"+location.search+location.hash)',
                'if(location.hash)location.replace("guides/new.html?x=1"+location.hash)',
                undefined,
            ]);
        });
    });
});

describe("the patterns of redirects", () => {
    /** Where an address of the site leads by the map, as in nginx. */
    const follow = (map: string, address: string): string | undefined => {
        for (const [, source = "", target = ""] of map.matchAll(/^"([^"]*)" "([^"]*)";$/gm)) {
            const found = source.startsWith("~") ? new RegExp(source.slice(1)).exec(address) : undefined;
            if (source === address || found) {
                return target.replace(/\$\{(\w+)\}/g, (_, name: string) => found?.groups?.[name] ?? "");
            }
        }
        return undefined;
    };
    const cases: [source: string, destination: string, address: string, target: string | undefined][] = [
        ["/articles/concepts-*", "/guides/new", "/articles/concepts-start", "/guides/new"],
        ["/articles/concepts-*", "/guides/new", "/articles/concepts-a/b", undefined],
        ["/old/article-*", "/new/article-*", "/old/article-123", "/new/article-123"],
        ["/docs/:x?", "/guides/:x?", "/docs/new", "/guides/new"],
        ["/docs/:x?", "/guides/:x?", "/docs", "/guides"],
        ["/docs/:x?/end", "/guides/:x?", "/docs/end", "/guides"],
        ["/docs/:x+", "/guides/:x+", "/docs/a/b", "/guides/a/b"],
        ["/docs/:x+", "/guides/:x+", "/docs", undefined],
        ["/v1/:slug*", "/v2/:slug*", "/v1", "/v2"],
        ["/v1/:slug*", "/v2/:slug*", "/v1/a/b", "/v2/a/b"],
        ["/v:version/intro", "/guides/:version", "/v2/intro", "/guides/2"],
        ["/:name.html", "/guides/:name", "/a.html", "/guides/a"],
        ["/by/:user-name", "/u/:user-name", "/by/ann", "/u/ann"],
        ["/a/:x", "/b?ref=:x", "/a/1", "/b?ref=1"],
        ["/a/:x", "/b/:x?ref=1", "/a/2", "/b/2?ref=1"],
    ];
    for (const [source, destination, address, target] of cases) {
        it(`lead from ${address} to ${target ?? "nothing"}: ${source} to ${destination}`, async () => {
            const files = { ...pages, "docs.json": config([{ source, destination }]) };
            await withExport(files, async ({ read }) => {
                assert.equal(follow(await read("static-export/redirects.map"), address), target);
            });
        });
    }

    const unsupported: [source: string, destination: string, reason: RegExp][] = [
        ["/a/(b|c)", "/guides/new", /only \* and names such as :slug, :slug\*, :slug\+ and :slug\? are supported/],
        ["/a/:id(\\d+)", "/guides/:id", /only \* and names such as/],
        ["/a{/:b}?", "/guides/new", /only \* and names such as/],
        ["/a/**", "/guides/new", /only \* and names such as/],
        ["/:a-:b", "/guides/new", /only one name/],
        ["/a/:b*/c/:d*", "/guides/new", /only one name may match several segments/],
        ["/a-:b*", "/guides/new", /must be a whole part/],
        ["/a/:b", "/guides/:c", /the destination names :c, which is not in the source/],
        ["/a/:b", "/guides/*", /the destination names \*/],
        ["/a?b=c", "/guides/new", /its source must not have a query or an anchor/],
        ["/a#b", "/guides/new", /its source must not have a query or an anchor/],
        ["/a/../b", "/guides/new", /its source must not have \. or \.\./],
        ["", "/guides/new", /its source is empty/],
        ...["", "#top", "?a=b", "mailto:a@b.example"].map((destination): [string, string, RegExp] => [
            "/a",
            destination,
            /its destination must begin with \/ or https:\/\//,
        ]),
    ];
    for (const [source, destination, reason] of unsupported) {
        it(`are left out with a warning if they are not supported: ${source} to ${destination}`, async () => {
            const files = { ...pages, "docs.json": config([{ source, destination }]) };
            await withExport(files, async ({ warnings, read }) => {
                assert.deepEqual(
                    warnings.map(({ file, line, kind }) => [file, line, kind]),
                    [["docs.json", 1, "settings"]],
                );
                const start = `the redirect from ${source} is left out: `.replace(/\s+/g, " ");
                assert.ok(warnings[0]?.reason.startsWith(start));
                assert.match(warnings[0]?.reason ?? "", reason);
                await assert.rejects(read("static-export/redirects.map"));
            });
        });
    }
});

describe("redirects that lead nowhere", () => {
    const warningsFor = async (...redirects: [source: string, destination: string][]) => {
        const list = redirects.map(([source, destination]) => ({ source, destination }));
        return warningsOf({ ...pages, "docs.json": config(list) });
    };

    it("are warnings if they lead in a circle, and are left out", async () => {
        assert.deepEqual(await warningsFor(["/a", "/b"], ["/b", "/a"], ["/self", "/self"]), [
            "docs.json:1: the redirect from /a is left out: it leads back to itself (/a → /b → /a)",
            "docs.json:1: the redirect from /b is left out: it leads back to itself (/b → /a → /b)",
            "docs.json:1: the redirect from /self is left out: it leads back to itself (/self → /self)",
        ]);
        const endless = "/v1/x → /v1/v1/x → /v1/v1/v1/x → /v1/v1/v1/v1/x → …";
        assert.deepEqual(await warningsFor(["/v1/:slug+", "/v1/v1/:slug+"]), [
            `docs.json:1: the redirect from /v1/:slug+ is left out: it leads back to itself (${endless})`,
        ]);
    });

    it("are warnings if they lead to no page and no file", async () => {
        assert.deepEqual(await warningsFor(["/old/*", "/nowhere"], ["/v1/:slug*", "/guides/:slug*"]), [
            "docs.json:1: the redirect from /old/* leads to /nowhere, which is not a page or a file of this site",
        ]);
        assert.deepEqual(await warningsFor(["/gone", "/nowhere"], ["/c", "/d"], ["/d", "/guides/new"]), [
            "docs.json:1: the redirect from /gone leads to /nowhere, which is not a page or a file of this site",
        ]);
    });

    it("are warnings if they lead to a page in other letters, because most hosts compare letters exactly", async () => {
        assert.deepEqual(await warningsFor(["/a", "/Guides/New"]), [
            "docs.json:1: the redirect from /a leads to /Guides/New, which is not a page or a file of this site",
        ]);
    });

    it("lead in no circle if a page is in it, because pages take precedence", async () => {
        assert.deepEqual(await warningsFor(["/old", "/guides/new"], ["/guides/new", "/old"]), [
            "docs.json:1: the redirect from /guides/new has no effect, because guides/new.md is at this address: remove one of the two",
        ]);
    });
});

describe("the sitemap", () => {
    it("contains the date of a page's last change if the page sets a date", async () => {
        const files = {
            "index.md": "---\nlastmod: 2026-11-02\n---\n# Home",
            "a.md": "---\ndate: 2026-11-03T10:00:00Z\n---\n# A",
            "b.md": "---\ndate: soon\n---\n# B",
        };
        await withExport(files, async (site) => {
            const days = [...(await site.read("sitemap.xml")).matchAll(/<loc>(.*?)<\/loc>(?:<lastmod>(.*?)<)?/g)];
            assert.deepEqual(
                days.map(([, , day]) => day),
                ["2026-11-02", "2026-11-03", undefined],
            );
        });
    });
});
