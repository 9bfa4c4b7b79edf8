import assert from "node:assert/strict";
import { failureOf, withExport, withRepeatedExports, type Files } from "../support/site-fixture.js";

const config = (settings: object = {}) =>
    JSON.stringify({ name: "Docs", navigation: { pages: ["index", "guides/start"] }, ...settings });

const redirects = [
    { source: "/docs/old", destination: "/docs/guides/start" },
    { source: "/v1/:slug*", destination: "/guides/:slug*" },
    { source: "/docs/v2/:slug*", destination: "/v2/:slug*" },
];

const site: Files = {
    "docs.json": config({ redirects, errors: { "404": { description: "See [the start](/docs/guides/start)." } } }),
    "index.md": "# Home\n",
    "guides/start.md": "# Start\n\n[home](/docs) [old](/docs/old) ![map](/docs/images/map.png)\n",
    "images/map.png": "map",
    "site.css": '@import "/docs/more.css";\n.hero { background: url(/docs/images/map.png) }\n',
    "more.css": "",
};

describe("a site that is served under a path", () => {
    it("is exported as a folder that an ordinary web server serves at that path", async () => {
        await withExport(
            site,
            async ({ files, read, warnings }) => {
                assert.deepEqual(
                    (await files()).filter((file) => /\.(?:html|txt|xml|png)$/.test(file)),
                    [
                        ".well-known/llms-full.txt",
                        ".well-known/llms.txt",
                        "404.html",
                        "docs/.well-known/llms-full.txt",
                        "docs/.well-known/llms.txt",
                        "docs/404.html",
                        "docs/guides/start.html",
                        "docs/images/map.png",
                        "docs/index.html",
                        "docs/llms-full.txt",
                        "docs/llms.txt",
                        "docs/old.html",
                        "docs/robots.txt",
                        "docs/sitemap.xml",
                        "docs/static-export/THIRD-PARTY-NOTICES.txt",
                        "docs/v1.html",
                        "index.html",
                        "robots.txt",
                    ],
                );
                assert.match(await read("index.html"), /url=docs\/index\.html"/);
                assert.match(await read("robots.txt"), /^Sitemap: https:\/\/docs\.example\.com\/docs\/sitemap\.xml$/m);
                assert.deepEqual(warnings, []);
            },
            { basePath: "docs" },
        );
    });

    it("uses the path in the absolute addresses of its pages", async () => {
        await withExport(
            site,
            async ({ read }) => {
                const start = "https://docs.example.com/docs/guides/start";
                const page = await read("docs/guides/start.html");
                assert.ok(page.includes(`<link rel="canonical" href="${start}">`));
                assert.ok((await read("docs/sitemap.xml")).includes(`<loc>${start}</loc>`));
                assert.ok((await read("docs/llms.txt")).includes(`(${start}.md)`));
                assert.ok((await read("docs/llms-full.txt")).includes(`Source: ${start}\n`));
                assert.match(
                    await read("404.html"),
                    /<a href="\/docs\/guides\/start\.html">[\s\S]*<a href="\/docs\/">Go to/,
                );
                assert.match(await read("docs/old.html"), /url=guides\/start\.html"/);
            },
            { basePath: "docs" },
        );
    });

    it("includes the path in server redirects of any form, and never redirects an address to itself", async () => {
        await withExport(
            site,
            async ({ read }) => {
                assert.deepEqual((await read("static-export/redirects.map")).trim().split("\n"), [
                    '"/docs/old" "/docs/guides/start";',
                    '"~^/docs/v1/(?<p1>.*)$" "/docs/guides/${p1}";',
                    '"/docs/v1" "/docs/guides";',
                ]);
            },
            { basePath: "docs" },
        );
    });

    it("is detected from a canonical address with the export's domain and a path", async () => {
        const seo = { metatags: { canonical: "https://docs.example.com/help/" } };
        const files = { ...site, "docs.json": config({ seo }), "index.md": "# Home\n\n[start](/help/guides/start)\n" };
        await withExport(files, async ({ read, files: all, warnings }) => {
            assert.match(await read("help/index.html"), /<a href="guides\/start\.html">start<\/a>/);
            assert.match(
                await read("help/index.html"),
                /<link rel="canonical" href="https:\/\/docs\.example\.com\/help\/">/,
            );
            assert.ok((await all()).includes("help/guides/start.html"));
            // The warning is about the other page, whose links begin with /docs, as in many sites.
            assert.deepEqual(
                warnings.map(({ reason }) => reason),
                ["the link /docs/old leads to no page and no file of this site"],
            );
        });
    });

    it("is served at the root if its canonical address has another domain, but links with the path work", async () => {
        const seo = { metatags: { canonical: "https://example.com/help" } };
        const files = {
            "docs.json": config({ seo }),
            "index.md": "# Home\n\n[start](/help/guides/start#a) ![map](/help/images/map.png)\n\n## A\n",
            "guides/start.md": "# Start\n\n## A\n",
            "images/map.png": "map",
        };
        await withExport(files, async ({ read, warnings }) => {
            const page = await read("index.html");
            assert.match(page, /<a href="guides\/start\.html#a">/);
            assert.match(page, / src="images\/map\.png"/);
            assert.match(
                await read("guides/start.html"),
                /rel="canonical" href="https:\/\/example\.com\/help\/guides\/start"/,
            );
            assert.deepEqual(warnings, []);
        });
    });

    it("contains the requested pages, whether or not the requested paths include the site's path", async () => {
        for (const path of ["/docs/guides/start", "/guides/start"]) {
            await withExport(site, async ({ files }) => assert.ok((await files()).includes("docs/guides/start.html")), {
                basePath: "docs",
                paths: [path],
            });
        }
        assert.match(
            await failureOf(site, { basePath: "docs", paths: ["/docs/nope"] }),
            /^\/docs\/nope: the export was asked for this page/,
        );
    });

    it("reuses nothing from an export under a different path", async () => {
        await withRepeatedExports(site, async ({ again }) => {
            await again({ basePath: "docs" }, { basePath: "docs" });
            await again({ basePath: "help" }, { basePath: "help" });
        });
    });
});

describe("addresses in CSS", () => {
    it("become relative in style sheets, and are reported with their line if dead", async () => {
        const css = [
            '@import "/more.css";',
            "/* url(/comment.png) */",
            ".a { background: url('/images/map.png?v=1') }",
            ".b { background: url(data:image/png;base64,AA) url(#part) }",
            ".c { background: url(/gone.png) }",
        ];
        const files = { ...site, "css/site.css": css.join("\n"), "docs.json": config() };
        await withExport(files, async ({ read, warnings }) => {
            assert.deepEqual((await read("css/site.css")).split("\n"), [
                '@import "../more.css";',
                css[1],
                '.a { background: url("../images/map.png?v=1") }',
                css[3],
                '.c { background: url("../gone.png") }',
            ]);
            const dead = warnings.filter(({ file }) => file === "css/site.css");
            assert.deepEqual(
                dead.map(({ line, reason }) => [line, reason]),
                [[5, "the link /gone.png leads to no page and no file of this site"]],
            );
        });
    });

    it("are relative to the page in the page's own styles", async () => {
        const page =
            '# A\n\n<div style={{ backgroundImage: "url(/b.png)" }}>a</div>\n\n<style>{`.x { background: url("/b.png") }`}</style>\n';
        await withExport({ "deep/a.mdx": page, "b.png": "b" }, async ({ read }) => {
            const html = await read("deep/a.html");
            assert.match(html, /style="background-image:url\(&quot;\.\.\/b\.png&quot;\)"/);
            assert.match(html, /<style>\.x \{ background: url\("\.\.\/b\.png"\) \}<\/style>/);
        });
    });
});
