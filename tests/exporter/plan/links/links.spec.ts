import assert from "node:assert/strict";
import { withExport } from "../../support/site-fixture.js";

async function hrefsOf(
    source: string,
    others: Record<string, string> = {},
): Promise<{ hrefs: string[]; warnings: string[] }> {
    let found: { hrefs: string[]; warnings: string[] } = { hrefs: [], warnings: [] };
    const files = {
        "index.md": "# Home",
        "guides/start.md": "# S\n\n## x\n\n## y\n\n## b\n",
        "guides/deep/page.md": source,
        "images/a b.png": "x",
        ...others,
    };
    await withExport(files, async (site) => {
        const article = /<article[^>]*>[\s\S]*<\/article>/.exec(await site.read("guides/deep/page.html"))?.[0] ?? "";
        const hrefs = [...article.matchAll(/ (?:href|src)="([^"]*)"/g)].map((match) => match[1] ?? "");
        found = { hrefs, warnings: site.warnings.map(({ file, line, reason }) => `${file}:${line}: ${reason}`) };
    });
    return found;
}

describe("links between pages", () => {
    it("become relative, regardless of how they are written", async () => {
        const source =
            "[a](/guides/start) [b](../start.md) [c](../start) [d](/guides/start/) [e](/guides/start.mdx#x) [f](/guides/start?q=1#y) [g](/)";
        const { hrefs, warnings } = await hrefsOf(source);
        const start = "../start.html";
        assert.deepEqual(hrefs, [start, start, start, start, `${start}#x`, `${start}?q=1#y`, "../../index.html"]);
        assert.deepEqual(warnings, []);
    });

    it("stay unchanged if they lead to another site or to an anchor on the same page", async () => {
        const elsewhere = ["https://example.com/a.md", "mailto:a@example.com", "//cdn.example.com/x", "#here"];
        assert.deepEqual((await hrefsOf(elsewhere.map((href) => `[x](${href})`).join(" "))).hrefs, elsewhere);
    });

    it("are reported if they have no address", async () => {
        const { hrefs, warnings } = await hrefsOf('[the guide]() <a name="b"></a>\n');
        assert.deepEqual(hrefs, [""]);
        const reason = 'the link "the guide" has no address, so it leads to its own page';
        assert.deepEqual(warnings, [`guides/deep/page.md:1: ${reason}`]);
    });

    it("are reported if they are images without an address, whose text is shown", async () => {
        const { warnings } = await hrefsOf('![]() and ![the plan]() and <img src="" alt="the map">\n');
        const reasons = ["", "the plan", "the map"].map(
            (text) => `guides/deep/page.md:1: the image "${text}" has no address, so only its text is shown`,
        );
        assert.deepEqual(warnings, reasons);
    });

    it("are reported if they are images of JSX without an address", async () => {
        const { warnings } = await hrefsOf("", {
            "a.mdx": '# A\n\n<img src="" alt="the map" />\n\n<Image src="" />\n',
        });
        assert.deepEqual(
            warnings.filter((warning) => warning.startsWith("a.mdx")),
            ["the map", ""].map(
                (text, at) => `a.mdx:${at * 2 + 3}: the image "${text}" has no address, so only its text is shown`,
            ),
        );
    });

    it("work for images and files, even if the names contain spaces", async () => {
        const { hrefs } = await hrefsOf("![a](</images/a b.png>) ![b](../../images/a%20b.png)");
        assert.deepEqual(hrefs, ["../../images/a%20b.png", "../../images/a%20b.png"]);
    });

    it("work for pages with non-ASCII names", async () => {
        const { hrefs } = await hrefsOf("[a](/prüfung)", { "prüfung.md": "# P" });
        assert.deepEqual(hrefs, ["../../pr%C3%BCfung.html"]);
    });

    it("are reported with file and line if they are dead, without stopping the export", async () => {
        const { warnings } = await hrefsOf("Text\n\n[a](/nope) ![b](./gone.png)\n\n[c](../../../outside.md)");
        assert.deepEqual(warnings, [
            "guides/deep/page.md:3: the link /nope leads to no page and no file of this site",
            "guides/deep/page.md:3: the link ./gone.png leads to no page and no file of this site",
            "guides/deep/page.md:5: the link ../../../outside.md leaves the site's folder",
        ]);
    });

    it("ignore a leading /docs unless the site's docs folder contains the page", async () => {
        const { hrefs, warnings } = await hrefsOf("[a](/docs/guides/start#x) [b](/docs/own) [c](/docs/nope)", {
            "docs/own.md": "# Own",
            "own.md": "# Another",
        });
        assert.deepEqual(hrefs, ["../start.html#x", "../../docs/own.html", "../../docs/nope"]);
        assert.deepEqual(warnings, [
            "guides/deep/page.md:1: the link /docs/nope leads to no page and no file of this site",
        ]);
    });

    it("work for hidden pages, which are exported but not listed", async () => {
        const { hrefs, warnings } = await hrefsOf("[a](/secret)", { "secret.md": "---\nhidden: true\n---\n" });
        assert.deepEqual(hrefs, ["../../secret.html"]);
        assert.deepEqual(warnings, []);
    });

    it("lead straight to the destination if they point to a redirect in docs.json", async () => {
        const config = {
            navigation: { pages: ["index"] },
            redirects: [
                { source: "/old", destination: "/guides/start" },
                { source: "/away", destination: "https://example.com/x" },
            ],
        };
        const { hrefs, warnings } = await hrefsOf("[a](/old#b) [c](/away)", { "docs.json": JSON.stringify(config) });
        assert.deepEqual(hrefs, ["../start.html#b", "https://example.com/x"]);
        assert.deepEqual(warnings, []);
    });

    it("follow redirect patterns and chains, and stop at a loop", async () => {
        const config = {
            navigation: { pages: ["index"] },
            redirects: [
                { source: "/latest/:slug*", destination: "/guides/:slug*" },
                { source: "/users/:id/edit", destination: "https://example.com/edit?id=:id" },
                { source: "/first", destination: "/latest/start" },
                { source: "/round", destination: "/round/" },
            ],
        };
        const { hrefs, warnings } = await hrefsOf("[a](/latest/start#x) [b](/users/7/edit) [c](/first) [d](/round)", {
            "docs.json": JSON.stringify(config),
        });
        assert.deepEqual(hrefs.slice(0, 3), ["../start.html#x", "https://example.com/edit?id=7", "../start.html"]);
        assert.deepEqual(warnings, [
            "docs.json:1: the redirect from /round is left out: it leads back to itself (/round → /round)",
            "guides/deep/page.md:1: the link /round leads to no page and no file of this site",
        ]);
    });

    it("lead to an existing file if they point to the root of a site without an index page", async () => {
        const files = {
            "a.md": "# A",
            "guides/b.md": "[a](/) [b](../) [c](/#x) [d](/index.html) [e](/gone)",
        };
        await withExport(files, async (site) => {
            assert.match(await site.read("index.html"), /url=a\.html/);
            assert.deepEqual(
                [...(await site.read("guides/b.html")).matchAll(/<a href="([^"]*)">[a-e]</g)].map(([, href]) => href),
                ["../index.html", "../index.html", "../index.html#x", "../index.html", "../gone"],
            );
            assert.deepEqual(
                site.warnings.map(({ reason }) => reason),
                ["the link /gone leads to no page and no file of this site"],
            );
        });
    });
});

describe("links in HTML", () => {
    const files = { "img/d.png": "d", "img/l,2.png": "l", "index.md": "# Home" };

    async function tagsOf(file: string, source: string): Promise<{ tags: string[]; warnings: string[] }> {
        let found: { tags: string[]; warnings: string[] } = { tags: [], warnings: [] };
        await withExport({ ...files, [file]: source }, async (site) => {
            const html = await site.read("guides.html");
            const article = /<article[^>]*>[\s\S]*<\/article>/.exec(html)?.[0] ?? "";
            found = {
                tags: article.match(/<(?:img|source|a|video) [^<]*>/g) ?? [],
                warnings: site.warnings.map(({ file, line, reason }) => `${file}:${line}: ${reason}`),
            };
        });
        return found;
    }

    it("are rewritten in every candidate of a srcset, and reported if they are dead", async () => {
        const source =
            '<picture>\n<source srcset="../img/d.png, ../img/l,2.png 2x,https://cdn.example.com/x,y.png 3x">\n' +
            '<img src="/img/d.png" srcset="../img/d.png 480w,\n  ./gone.png 800w">\n</picture>\n';
        const { tags, warnings } = await tagsOf("guides/index.md", source);
        assert.deepEqual(tags, [
            '<source srcset="img/d.png, img/l%2C2.png 2x,https://cdn.example.com/x,y.png 3x">',
            '<img src="img/d.png" srcset="img/d.png 480w,\n  guides/gone.png 800w" loading="lazy">',
        ]);
        assert.deepEqual(warnings, [
            "guides/index.md:4: the link ./gone.png leads to no page and no file of this site",
        ]);
    });

    it("are rewritten in the srcSet of MDX, and reported if they are dead", async () => {
        const source =
            '<picture>\n  <source srcSet="../img/d.png 1x, ../img/l,2.png 2x" />\n' +
            '  <img src="../img/d.png" srcset="./gone.png 2x" />\n</picture>\n';
        const { tags, warnings } = await tagsOf("guides/index.mdx", source);
        assert.deepEqual(tags, [
            '<source srcset="img/d.png 1x, img/l%2C2.png 2x">',
            '<img src="img/d.png" srcset="guides/gone.png 2x" loading="lazy">',
        ]);
        assert.deepEqual(warnings, [
            "guides/index.mdx:3: the link ./gone.png leads to no page and no file of this site",
        ]);
    });

    it("are rewritten regardless of quotes and of other attributes", async () => {
        const { tags } = await tagsOf(
            "guides/index.md",
            '<div>\n<img src=../img/d.png>\n<img alt="a > b" src=\'../img/d.png\'>\n<img alt=\'src="../x.png"\' SRC = "../img/d.png"/>\n</div>\n',
        );
        assert.deepEqual(tags, [
            '<img src="img/d.png" loading="lazy">',
            '<img alt="a &gt; b" src="img/d.png" loading="lazy">',
            '<img alt="src=&quot;../x.png&quot;" src="img/d.png" loading="lazy">',
        ]);
    });

    it("are unchanged if they lead to other sites", async () => {
        const tag = "<a title='a &amp; b' href='https://example.com/?a=1&amp;b=2' data-src=../x>";
        assert.deepEqual((await tagsOf("guides/index.md", `<div>\n${tag}x</a>\n</div>\n`)).tags, [
            '<a title="a &amp; b" href="https://example.com/?a=1&amp;b=2" data-src="../x">',
        ]);
    });
});

describe("links and pictures in docs.json", () => {
    it("are reported once, with their line, if they are dead", async () => {
        const settings = {
            name: "Site",
            logo: { light: "/logo/light.png", dark: "/logo/dark.svg" },
            favicon: "/icon.ico",
            navbar: {
                links: [
                    { label: "Home", href: "/" },
                    { label: "Blog", href: "/blog" },
                ],
            },
            footer: {
                links: [{ header: "More", items: [{ label: "A", href: "/a" }] }],
                socials: { x: "https://x.com/a" },
            },
            navigation: { pages: ["index", "a"], global: { anchors: [{ anchor: "Gone", href: "./gone" }] } },
        };
        const files = {
            "docs.json": JSON.stringify(settings, undefined, 2),
            "index.md": "# Home",
            "a.md": "# A",
            "logo/dark.svg": "<svg/>",
        };
        await withExport(files, (site) => {
            assert.deepEqual(
                site.warnings.map(({ kind, file, line, reason }) => `${kind} ${file}:${line}: ${reason}`).sort(),
                [
                    "link docs.json:16: the link /blog leads to no page and no file of this site",
                    "link docs.json:45: the link ./gone leads to no page and no file of this site",
                    "link docs.json:4: the link /logo/light.png leads to no page and no file of this site",
                    "link docs.json:7: the link /icon.ico leads to no page and no file of this site",
                ],
            );
        });
    });
});
