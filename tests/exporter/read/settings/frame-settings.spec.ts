import assert from "node:assert/strict";
import { warningsOf, withExport, type Files } from "../../support/site-fixture.js";

function siteOf(settings: object, files: Files = { "a.md": "# A" }): Files {
    return { "docs.json": JSON.stringify({ navigation: { pages: ["a"] }, ...settings }), ...files };
}

const pageOf = async (files: Files, name = "a.html") => {
    let html = "";
    await withExport(files, async (site) => {
        html = await site.read(name);
        assert.deepEqual(site.warnings, []);
    });
    return html;
};

describe("the frame of a page", () => {
    it("shows a banner with the type or the colour from docs.json", async () => {
        const banner = (more: object) => pageOf(siteOf({ banner: { content: "Hi", ...more } }));
        assert.match(await banner({ type: "critical" }), /<div class="banner critical" role="region"/);
        assert.match(await banner({ type: "info" }), /<div class="banner" role="region"/);
        assert.match(
            await banner({ type: "warning", color: { light: "#7C3AED" } }),
            /<div class="banner coloured"[^>]* style="--light:#7C3AED;--dark:#7C3AED">/,
        );
    });

    it("shows a banner whose links lead to the same page from every folder", async () => {
        const content = "[A](/a?x=1&y=2) and [elsewhere](https://example.com)";
        const files = {
            "docs.json": JSON.stringify({ navigation: { pages: ["a", "deep/b"] }, banner: { content } }),
            "a.md": "# A",
            "deep/b.md": "# B",
        };
        const elsewhere = '<a href="https://example.com">elsewhere</a>';
        await withExport(files, async ({ read }) => {
            for (const [name, root] of [
                ["a.html", ""],
                ["deep/b.html", "../"],
            ] as const) {
                const expected = `<p><a href="${root}a.html?x=1&amp;y=2">A</a> and ${elsewhere}</p>`;
                assert.ok((await read(name)).includes(expected), name);
            }
        });
    });

    it("ignores an invalid colour, with a warning", async () => {
        const files = siteOf({ banner: { content: "Hi", color: { light: "red;}" } } });
        assert.deepEqual(await warningsOf(files), [
            "docs.json:1: banner.color.light must be a colour such as #0d6e6e, got red;}",
        ]);
    });

    it("uses the language's settings, or else the site's settings", async () => {
        const files = siteOf(
            {
                navigation: {
                    languages: [
                        {
                            language: "fr",
                            pages: ["fr/a"],
                            banner: { content: "Bonjour" },
                            footer: {
                                links: [
                                    { header: "Aide", items: [{ label: "Contact", href: "https://fr.example.com" }] },
                                ],
                            },
                            navbar: { links: [{ label: "État", href: "https://etat.example.com" }] },
                        },
                        { language: "en", pages: ["a"] },
                    ],
                },
                banner: { content: "Hello" },
                navbar: { links: [{ label: "Status", href: "https://status.example.com" }] },
            },
            { "a.md": "# A", "fr/a.md": "# A" },
        );
        const [english, french] = [await pageOf(files), await pageOf(files, "fr/a.html")];
        assert.match(french, /Bonjour[\s\S]*>État<[\s\S]*<p>Aide<\/p>/);
        assert.doesNotMatch(french, /Hello|Status/);
        assert.match(english, /Hello[\s\S]*>Status</);
        assert.doesNotMatch(english, /Bonjour|État|Aide/);
    });

    it("reports a dead link in a language's banner once", async () => {
        const languages = [{ language: "fr", pages: ["a"], banner: { content: "[x](/gone)" } }];
        assert.deepEqual(await warningsOf(siteOf({ navigation: { languages } })), [
            "docs.json:1: the link /gone leads to no page and no file of this site",
        ]);
    });

    it("shows networks under their usual names, and links with their icons", async () => {
        const html = await pageOf(
            siteOf({
                navbar: {
                    links: [
                        { type: "discord", href: "https://discord.example.com" },
                        { label: "Help", icon: "life-ring", href: "https://help.example.com" },
                    ],
                },
                footer: { socials: { linkedin: "https://l.example.com", "hacker-news": "https://h.example.com" } },
            }),
        );
        assert.match(html, /<a href="https:\/\/discord.example.com"><svg[^>]*>.*?<\/svg>Discord<\/a>/);
        assert.match(html, /<a href="https:\/\/help.example.com"><svg[^>]*>.*?<\/svg>Help<\/a>/);
        assert.match(html, />LinkedIn<\/a><\/li><li><a [^>]*>Hacker News<\/a>/);
    });

    it("names an icon-only link for screen readers", async () => {
        const links = [
            { label: "", icon: "telegram", href: "https://t.example.com" },
            { icon: "/logo.svg", href: "https://l.example.com" },
            { label: "", href: "https://nothing.example.com" },
        ];
        const html = await pageOf(siteOf({ navbar: { links } }, { "a.md": "# A", "logo.svg": "<svg/>" }));
        assert.match(html, /t.example.com"><svg[^>]*>.*?<\/svg><span class="visually-hidden">Telegram<\/span><\/a>/);
        assert.match(html, /<span class="visually-hidden">https:\/\/l.example.com<\/span><\/a>/);
        assert.doesNotMatch(html, /nothing.example.com/);
    });

    it("shows an SVG icon as a mask, which cannot run scripts", async () => {
        const icon = '<svg onload="alert(1)"><path d="M0 0"/></svg>';
        const html = await pageOf(
            siteOf({ navbar: { links: [{ label: "Help", icon, href: "https://x.example.com" }] } }),
        );
        assert.match(html, /<span class="icon masked" style="--icon:url\(&quot;data:image\/svg\+xml,%3Csvg%20xmlns/);
        assert.doesNotMatch(html, /onload=/);
    });

    it("uses separate site icons for light and dark backgrounds", async () => {
        const files = { "a.md": "# A", "l.svg": "<svg/>", "d.svg": "<svg/>" };
        const html = await pageOf(siteOf({ favicon: { light: "/l.svg", dark: "/d.svg" } }, files));
        assert.match(html, /<link rel="icon" href="l.svg" media="\(prefers-color-scheme: light\)">/);
        assert.match(html, /<link rel="icon" href="d.svg" media="\(prefers-color-scheme: dark\)">/);
    });

    it("shows the configured search prompt", async () => {
        assert.match(await pageOf(siteOf({ search: { prompt: "Ask <us>" } })), /<span>Ask &lt;us&gt;<\/span><kbd>/);
    });

    it("names the page's innermost group, or all of its groups if configured", async () => {
        const navigation = { groups: [{ group: "Out & in", pages: [{ group: "In", pages: ["a"] }] }] };
        const eyebrow = async (styling: object) =>
            /<p class="eyebrow">(.*)<\/p>/.exec(await pageOf(siteOf({ navigation, styling })))?.[1];
        assert.equal(await eyebrow({}), "In");
        assert.equal(await eyebrow({ eyebrows: "breadcrumbs" }), "Out &amp; in › In");
    });
});

describe("the page for unknown addresses", () => {
    it("shows the site's text, with links that work at any depth", async () => {
        const notFound = {
            title: "Lost",
            description: "Go **back** to [A](/g/a) or [us](https://example.com).",
            redirect: true,
        };
        const files = siteOf({ navigation: { pages: ["g/a"] }, errors: { "404": notFound } }, { "g/a.md": "# A" });
        const html = await pageOf(files, "404.html");
        assert.match(
            html,
            new RegExp(
                "<title>Lost &ndash; [\\s\\S]*<h1[^>]*>Lost</h1>\\s*</header>\\s*" +
                    '<p>Go <strong>back</strong> to <a href="/g/a.html">',
            ),
        );
        assert.match(html, /<a href="https:\/\/example.com">us<\/a>/);
        assert.match(html, /<meta http-equiv="refresh" content="0; url=\/">/);
    });

    it("does not redirect to another address unless configured", async () => {
        const html = await pageOf(siteOf({}), "404.html");
        assert.match(html, /<h1[^>]*>Page not found<\/h1>/);
        assert.doesNotMatch(html, /refresh/);
    });
});
