import assert from "node:assert/strict";
import { withExport } from "../../support/site-fixture.js";

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
        ];
        await withExport({ ...pages, "docs.json": config(redirects) }, async (site) => {
            assert.deepEqual((await site.read("static-export/redirects.map")).trim().split("\n"), [
                '"/old" "/guides/new";',
                '"~^/v1/(?<p1>.*)$" "/v2/${p1}";',
                '"~^/by/(?<p1>[^/]+)/on/(?<p2>[^/]+)$" "https://example.com/${p2}/${p1}";',
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
