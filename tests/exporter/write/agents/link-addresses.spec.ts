import assert from "node:assert/strict";
import { type Files, withExport } from "../../support/site-fixture.js";

const files: Files = {
    "docs.json": JSON.stringify({
        name: "Docs",
        redirects: [{ source: "/old", destination: "/guides/start" }],
        navigation: { pages: ["index", "guides/start", "guides/README", "guides/next"] },
    }),
    "index.md": "# Home\n\nRead [the start](guides/start.md).\n",
    "guides/README.md": "# Guides\n\n[Next](./next.md#second), [home](../index.md)\n",
    "guides/next.mdx": '# Next\n\n<Card title="Start" href="./start">Begin.</Card>\n\n[Home](/).\n',
    "guides/start.md": `# Start

[Next](next), [below](#below), [with a title](./next.md "Next page"), [in brackets](<./next.md>), [old](/old?a=1#b)
![A picture](../images/a.png) and \`[code](./next.md)\`, [gone](./gone.md), [mail](mailto:a@b.example)
[elsewhere](https://example.com/x), [by name][next], \\[no link\\](./next.md) and [\`code\`](./next.md).

[next]: ./next.md "Next page"

## Below

[A file](<../my files/a b.pdf>)

\`\`\`md
[code](./next.md)
\`\`\`
`,
    "my files/a b.pdf": "pdf",
    "images/a.png": "png",
};
const at = "https://docs.example.com";

describe("Links in the Markdown for programs", () => {
    it("are addresses in descriptions, too, and text in the list of pages", async () => {
        const page = "---\ntitle: A\ndescription: Read [the start](../guides/start.md) first.\n---\n";
        const settings = JSON.stringify({ name: "Docs", navigation: { pages: ["more/a"] } });
        await withExport({ ...files, "docs.json": settings, "more/a.md": page }, async ({ read }) => {
            const lead = `# A\n\n> Read [the start](${at}/guides/start) first.\n`;
            assert.equal(await read("more/a.md"), lead);
            assert.ok((await read("llms-full.txt")).includes(lead.slice("# A\n\n".length)));
            assert.match(await read("static-export/pages-1.json"), /"A","Read the start first\."/);
        });
    });

    it("are addresses on the site's domain, because programs do not know the page's place", async () => {
        await withExport(files, async ({ read }) => {
            const start = await read("guides/start.md");
            assert.equal(
                start.slice(start.indexOf("[Next]")),
                `[Next](${at}/guides/next), [below](#below), [with a title](${at}/guides/next "Next page"), ` +
                    `[in brackets](<${at}/guides/next>), [old](${at}/guides/start?a=1#b)
![A picture](${at}/images/a.png) and \`[code](./next.md)\`, [gone](./gone.md), [mail](mailto:a@b.example)
[elsewhere](https://example.com/x), [by name][next], \\[no link\\](./next.md) and [\`code\`](${at}/guides/next).

[next]: ${at}/guides/next "Next page"

## Below

[A file](<${at}/my%20files/a%20b.pdf>)

\`\`\`md
[code](./next.md)
\`\`\`
`,
            );
            assert.match(await read("index.md"), new RegExp(`\\[the start\\]\\(${at}/guides/start\\)`));
            assert.match(
                await read("guides.md"),
                new RegExp(`\\[Next\\]\\(${at}/guides/next#second\\), \\[home\\]\\(${at}/\\)`),
            );
        });
    });

    it("are only what Markdown and HTML make links of, even if other words are the names of pages", async () => {
        const text = [
            'A note[^1], [start] and [text](start here), set href="/guides/start".',
            "",
            "[^1]: start with this.",
            "[start]: start here",
        ].join("\n");
        const pages = {
            "index.md": `# Home\n\n${text}\n\n<a class="x"\n  href="/start">Go</a>\n`,
            "start.md": "# Start\n",
        };
        await withExport(pages, async ({ read }) => {
            assert.equal(await read("index.md"), `# Home\n\n${text}\n\n<a class="x"\n  href="${at}/start">Go</a>\n`);
        });
    });

    it("are addresses in components, too", async () => {
        await withExport(files, async ({ read }) => {
            const next = await read("guides/next.md");
            assert.match(next, new RegExp(`\\[Start\\]\\(${at}/guides/start\\)`));
            assert.match(next, new RegExp(`\\[Home\\]\\(${at}/\\)`));
        });
    });

    it("are the same in the file with all pages", async () => {
        await withExport(files, async ({ read }) => {
            const all = await read("llms-full.txt");
            assert.ok(all.includes(`[Next](${at}/guides/next), [below](#below)`), all);
            assert.ok(!/\]\(\.\.?\//.test(all.replace(/\[(?:gone|code|no link\\)\]\(\S+\)/g, "")), all);
        });
    });

    it("begin at the root of a site without a domain, below the path at which it is served", async () => {
        await withExport(
            files,
            async ({ read }) => {
                assert.match(await read("help/index.md"), /\[the start\]\(\/help\/guides\/start\)/);
            },
            { domain: "localhost", basePath: "help" },
        );
    });
});
