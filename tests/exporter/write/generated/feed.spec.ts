import assert from "node:assert/strict";
import { withExport } from "../../support/site-fixture.js";

const changes = `---
title: Changes
description: What is new
rss: true
---

<Update label="2026-11-02" description="v2">Faster & **smaller**.</Update>

<Update label="Last year">Began.</Update>
`;

describe("a page's updates", () => {
    it("become a feed, to which the page links if its front matter requests the link", async () => {
        await withExport({ "index.md": "# Home", "log/changes.mdx": changes }, async (site) => {
            const feed = await site.read("log/changes/rss.xml");
            const items = [...feed.matchAll(/<item>.*<\/item>/g)].map(([item]) => item);
            const link = "https://docs.example.com/log/changes#2026-11-02";
            assert.deepEqual(items, [
                `<item><title>2026-11-02</title><link>${link}</link><guid>${link}</guid><pubDate>Mon, 02 Nov 2026 00:00:00 GMT</pubDate><description>Faster &amp; smaller .</description></item>`,
                "<item><title>Last year</title><link>https://docs.example.com/log/changes#last-year</link><guid>https://docs.example.com/log/changes#last-year</guid><description>Began.</description></item>",
            ]);
            assert.match(await site.read("log/changes.html"), /type="application\/rss\+xml" href="changes\/rss\.xml"/);
            assert.match(await site.read("log/changes.html"), /<a href="changes\/rss\.xml">RSS feed<\/a>/);
        });
    });

    it("become a feed without a link by default, and do not become a feed if the page disables it", async () => {
        const files = {
            "a.mdx": changes.replace("rss: true\n", ""),
            "b.mdx": changes.replace("rss: true", "rss: false"),
            "c.md": "---\nrss: true\n---\n# No updates",
        };
        await withExport(files, async (site) => {
            assert.deepEqual(
                (await site.files()).filter((file) => file.endsWith("rss.xml")),
                ["a/rss.xml"],
            );
            assert.doesNotMatch(await site.read("a.html"), />RSS feed</);
            assert.doesNotMatch(await site.read("b.html"), /rss/);
        });
    });

    it("have the time of a date with a time", async () => {
        const dates = [
            "2026-11-01T10:00:00+09:00",
            "2026-11-01T10:00:00.5Z",
            "2026-11-01 10:00",
            "2026-11-01T10:00-0130",
            "2026-11-01T99:00Z",
            "2026-02-30T10:00Z",
        ];
        const source = dates.map((date, at) => `<Update label="v${at}" description="${date}">Text</Update>`);
        await withExport({ "a.mdx": `# A\n\n${source.join("\n\n")}\n` }, async ({ read }) => {
            const items = (await read("a/rss.xml")).match(/<item>.*<\/item>/g) ?? [];
            assert.deepEqual(
                items.map((item) => /<pubDate>\w+, (.*?) GMT/.exec(item)?.[1]),
                [
                    ...["01 Nov 2026 01:00:00", "01 Nov 2026 10:00:00", "01 Nov 2026 10:00:00", "01 Nov 2026 11:30:00"],
                    ...["01 Nov 2026 00:00:00", undefined],
                ],
            );
        });
    });

    it("have a date in the feed if their label or their description is one", async () => {
        const labels = [
            'label="2026-11-02"',
            'label="v2" description="March 5, 2026"',
            'label="v1" description="4 March 2026"',
            'label="February 2026"',
            'label="2026-01" description="A version"',
            'label="2026-02-30"',
            'label="May be"',
        ];
        const source = labels.map((label) => `<Update ${label}>Text</Update>`).join("\n\n");
        await withExport({ "a.mdx": `# A\n\n${source}\n` }, async ({ read }) => {
            const items = (await read("a/rss.xml")).match(/<item>.*<\/item>/g) ?? [];
            const days = items.map((item) => /<pubDate>\w+, (.*?) 00:00:00 GMT/.exec(item)?.[1]);
            assert.deepEqual(days, [
                ...["02 Nov 2026", "05 Mar 2026", "04 Mar 2026", "01 Feb 2026", "01 Jan 2026"],
                ...[undefined, undefined],
            ]);
        });
    });

    it("are in the page's table of contents", async () => {
        await withExport({ "a.mdx": `# Changes\n\n${changes.slice(changes.indexOf("<Update"))}` }, async ({ read }) => {
            const toc = /<aside class="toc"[^]*?<\/aside>/.exec(await read("a.html"))?.[0] ?? "";
            assert.deepEqual(
                [...toc.matchAll(/href="#([^"]*)"[^>]*>([^<]*)</g)].map(([, id, text]) => `${id}: ${text}`),
                ["2026-11-02: 2026-11-02", "last-year: Last year"],
            );
        });
    });

    it("appear with separate text in the feed, and with their content on the page", async () => {
        const update = `<Update label="v2" rss={{ title: "A & B", description: "Much" }}>\n  Content\n</Update>`;
        await withExport({ "a.mdx": update }, async (site) => {
            assert.match(
                await site.read("a/rss.xml"),
                /<item><title>A &amp; B<\/title>.*<description>Much<\/description><\/item>/,
            );
            assert.match(await site.read("a.html"), /<section class="update" id="v2"[^>]*>[\s\S]*Content/);
        });
    });
});

describe("a feed's text", () => {
    const feedOf = async (update: string, front = "title: Changes"): Promise<string> => {
        let feed = "";
        await withExport({ "a.mdx": `---\n${front}\n---\n\n${update}\n` }, async ({ read }) => {
            feed = await read("a/rss.xml");
        });
        return feed;
    };
    const textOf = (feed: string) => /<item>.*<description>(.*?)<\/description>/.exec(feed)?.[1] ?? "";

    it("has no characters that XML does not allow", async () => {
        const feed = await feedOf(
            '<Update label="v1\u0007">Bell \u0007, \u001b[1m, \uffff.</Update>',
            'title: "A\\u0001B"',
        );
        // eslint-disable-next-line no-control-regex -- this pattern finds control characters
        assert.doesNotMatch(feed, /[\0-\x08\x0B\f\x0E-\x1F\uFFFE\uFFFF]/);
        assert.match(feed, /<title>AB<\/title>/);
        assert.equal(textOf(feed), "Bell , [1m, .");
    });

    it("ends at a word, or at a character in languages without spaces", async () => {
        const english = textOf(await feedOf(`<Update label="v1">${"R&D word ".repeat(200)}</Update>`));
        assert.match(english, /^(?:R&amp;D word )+(?:R&amp;D )?…$/);
        const japanese = textOf(await feedOf(`<Update label="v1">${"改善&𠮷".repeat(400)}</Update>`));
        assert.match(japanese, /^(?:改善&amp;𠮷){200,250}(?:改|改善|改善&amp;)? …$/);
    });

    it("contains headings without the links to them, and characters instead of HTML's entities", async () => {
        const update = '<Update label="v1">\n## Faster&nbsp;search\n\nText &mdash; more\n</Update>';
        assert.equal(textOf(await feedOf(update)), "Faster search Text — more");
    });
});

describe("link preview pictures", () => {
    it("come from the page or the site, with an absolute address", async () => {
        const files = {
            "index.md": "# Home",
            "a/b.md": '---\n"og:image": ../images/b.png\n---\n# B',
            "a/c.md": '---\n"og:image": https://cdn.example.com/c.png\n---\n# C',
            "images/b.png": "b",
            "images/all.png": "all",
            "docs.json": JSON.stringify({
                seo: { metatags: { "og:image": "/images/all.png" } },
                navigation: { pages: ["index", "a/b", "a/c"] },
            }),
        };
        await withExport(files, async (site) => {
            const image = async (file: string) =>
                /property="og:image" content="([^"]*)"/.exec(await site.read(file))?.[1];
            assert.equal(await image("index.html"), "https://docs.example.com/images/all.png");
            assert.equal(await image("a/b.html"), "https://docs.example.com/images/b.png");
            assert.equal(await image("a/c.html"), "https://cdn.example.com/c.png");
        });
    });

    it("use the thumbnail background by default", async () => {
        const settings = { thumbnails: { background: "/images/all.png" }, navigation: { pages: ["index"] } };
        const files = { "index.md": "# Home", "images/all.png": "all", "docs.json": JSON.stringify(settings) };
        await withExport(files, async (site) => {
            assert.match(
                await site.read("index.html"),
                /property="og:image" content="https:\/\/docs\.example\.com\/images\/all\.png"/,
            );
            assert.deepEqual(site.warnings, []);
        });
    });
});
