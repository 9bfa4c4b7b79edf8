import assert from "node:assert/strict";
import { exportPage, warningsOf, withExport } from "../../support/site-fixture.js";

const reason = "is left out: an export does not run scripts of pages";

describe("scripts on a page", () => {
    it("are removed from Markdown and MDX, and reported with the first place", async () => {
        const page = (code: string) =>
            `Text <script>${code}</script> more\n\n<script src="https://example.com/a.js"></script>\n`;
        for (const [file, text] of [
            ["a.md", page("track()")],
            ["b.mdx", page("{`track()`}")],
            ["c.mdx", "Text\n\nexport const Own = () => <script src='/own.js' />\n\n<Own /> more\n"],
        ] as const) {
            const html = await exportPage(file, text);
            assert.match(html, /Text[^]* more/);
            assert.doesNotMatch(html, /<script|track|own\.js/);
        }
        assert.deepEqual(await warningsOf({ "a.md": page("track()"), "b.mdx": page("{`track()`}") }), [
            `a.md:1: <script> ${reason}`,
        ]);
    });

    it("are kept if they are data, such as JSON-LD", async () => {
        const page = '<script type="application/ld+json">{"@type":"FAQPage"}</script>\n';
        assert.match(await exportPage("a.md", page), /<script type="application\/ld\+json">\{"@type":"FAQPage"\}</);
        assert.deepEqual(await warningsOf({ "a.md": page }), []);
    });

    it("are removed from event handlers, in Markdown and MDX", async () => {
        const page =
            "Text\n\n<button onclick=\"go()\">go</button>\n\n<details ontoggle='go()' open><summary>More</summary></details>\n";
        for (const file of ["a.md", "a.mdx"]) {
            assert.doesNotMatch(await exportPage(file, page), /go\(\)/);
            assert.deepEqual(await warningsOf({ [file]: page }), [
                `${file}:3: onclick in <button> ${reason}`,
                `${file}:5: ontoggle in <details> ${reason}`,
            ]);
        }
    });

    it("are removed from the addresses of links", async () => {
        const page = "[Go](javascript:go())\n";
        assert.match(await exportPage("a.md", page), /<a href="#">Go<\/a>/);
        assert.deepEqual(await warningsOf({ "a.md": page }), [`a.md:1: the link javascript:go() ${reason}`]);
    });

    const attributes = {
        '<iframe srcdoc="<script>go()</script>"></iframe>': "srcdoc in <iframe>",
        '<iframe src="data:text/html,<script>go()</script>"></iframe>': "src in <iframe>",
        '<embed src="data:image/svg+xml,<svg onload=go()>" />': "src in <embed>",
        '<object data="java&#10;script:go()">x</object>': "data in <object>",
        '<button formaction=" javascript:go()">x</button>': "formaction in <button>",
        '<form action="JavaScript:go()">x</form>': "action in <form>",
        '<svg><animate attributeName="href" values="#;javascript:go()" /></svg>': "values in <animate>",
    };

    it("are removed from all attributes that contain code, in Markdown and MDX", async () => {
        for (const [element, what] of Object.entries(attributes)) {
            for (const file of ["a.md", "a.mdx"]) {
                assert.doesNotMatch(await exportPage(file, `Text\n\n${element}\n`), /go\(\)/, `${file}: ${element}`);
                assert.deepEqual(await warningsOf({ [file]: `Text\n\n${element}\n` }), [
                    `${file}:3: ${what} ${reason}`,
                ]);
            }
        }
    });

    it("are removed without affecting embedded documents and forms", async () => {
        const page =
            '<iframe src="https://example.com/a"></iframe>\n\n<object data="data:application/pdf,a">x</object>\n\n' +
            '<form action="https://example.com/b"><button formaction="https://example.com/c">d</button></form>\n';
        const html = await exportPage("a.md", page);
        for (const shown of ['src="https://example.com/a"', 'data="data:application/pdf,a"', "com/b", "com/c"]) {
            assert.ok(html.includes(shown), html);
        }
        assert.deepEqual(await warningsOf({ "a.md": page }), []);
    });

    it("are removed from HTML inside a component, and the component's other content is shown", async () => {
        const bring = (html: string, tag = "div") =>
            `<${tag} dangerouslySetInnerHTML={{ __html: ${JSON.stringify(html)} }} />\n`;
        const written = "<b onclick='go()'>Bold</b><script>go()</script><i>Italic</i>";
        assert.match(await exportPage("a.mdx", bring(written)), /<div><b>Bold<\/b><i>Italic<\/i><\/div>/);
        assert.match(
            await exportPage("a.mdx", bring("<path d='M0 0'/><g/>", "svg")),
            /<svg><path d="M0 0"><\/path><g>/,
        );
        assert.match(
            await exportPage("a.mdx", bring("b > i { top: 0 }", "style")),
            /<style>b > i \{ top: 0 \}<\/style>/,
        );
        const styled = await exportPage("a.mdx", bring("</style><script>go()", "style"));
        assert.ok(styled.includes("<style><\\/style><script>go()</style>"), styled);
        assert.deepEqual(await warningsOf({ "a.mdx": bring(written) }), [
            `a.mdx:1: onclick in <b> ${reason}`,
            `a.mdx:1: <script> ${reason}`,
        ]);
    });

    it("are removed from addresses in settings, such as the logo's address", async () => {
        const link = " java\tscript:go()";
        const settings = {
            name: "Docs",
            logo: { light: "javascript:go()", dark: "javascript:go()", href: "javascript:go()" },
            navbar: { links: [{ label: "Bar", href: link }] },
            navigation: { pages: ["a"], global: { anchors: [{ anchor: "Anchor", href: link }] } },
        };
        await withExport({ "docs.json": JSON.stringify(settings), "a.md": "# A" }, async ({ read, warnings }) => {
            assert.doesNotMatch(await read("a.html"), /go\(\)/);
            assert.deepEqual(
                warnings.map((warning) => warning.reason),
                [`the link javascript:go() ${reason}`, `the link java script:go() ${reason}`],
            );
        });
    });
});
