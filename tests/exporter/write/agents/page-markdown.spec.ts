import assert from "node:assert/strict";
import { withExport } from "../../support/site-fixture.js";

const config = (settings: object = {}) =>
    JSON.stringify({ name: "Docs", navigation: { pages: ["a", "b"] }, ...settings });

const files = {
    "docs.json": config(),
    "a.md": "---\ntitle: A\ndescription: About A\n---\n\nText of A.",
    "b.md": "# B\n\nText of B.",
    "loose.md": "# Loose",
};

describe("the Markdown of a page", () => {
    const copyOf = async (body: string) => {
        let copy = "";
        await withExport({ "a.mdx": `# A\n\n${body}` }, async (site) => {
            copy = (await site.read("a.md")).replace("# A\n\n", "");
        });
        return copy;
    };

    it("includes content for agents, and excludes content for people", async () => {
        const body =
            '<Visibility for="humans">\n\n  Click.\n\n</Visibility>\n\n<Visibility for="agents">\n  Call.\n</Visibility>\n\nIn <Visibility for="humans">the page</Visibility><Visibility for={"agents"}>the copy</Visibility>.';
        assert.equal(await copyOf(body), "Call.\n\nIn the copy.\n");
    });

    it("keeps code that mentions the Visibility component", async () => {
        const body = 'Use `<Visibility for="humans">`.\n\n```mdx\n<Visibility for="humans">\nx\n</Visibility>\n```';
        assert.equal(await copyOf(body), `${body}\n`);
    });

    for (const file of ["a.md", "a.mdx"]) {
        it(`excludes what readers of ${file} do not see: comments, scripts, styles and links that run scripts`, async () => {
            const body = [
                "First.",
                "<!-- c1\n\n```\nc2\n``` `c3 -->",
                "Second <!-- c4 -->half.\n<!-- c5 -->",
                "<script>\nc6()\n</script>",
                "<style>{`.c7 {}`}</style>",
                "[Third](javascript:c8(1)), [<b>x</b>](<javascript:c9>).",
                ...(file === "a.mdx" ? ["{/* c10 */}"] : []),
                "Last.",
            ];
            await withExport({ [file]: `# A\n\n${body.join("\n\n")}` }, async ({ read }) => {
                const copy = await read("a.md");
                assert.doesNotMatch(copy + (await read("llms-full.txt")), /\bc\d/);
                assert.match(
                    copy,
                    /^# A\n\nFirst\.\n\nSecond half\.\n+\[Third\]\(#\), \[<b>x<\/b>\]\(<#>\)\.\n\nLast\.\n$/,
                );
            });
        });
    }

    it("is written at once for a paragraph of 15,000 character references, with the code that it indents", async () => {
        const body = `${"&#1; ".repeat(15_000).trim()}\n\n    <a onclick=x>\n`;
        const startedAt = process.cpuUsage();
        await withExport({ "a.md": `# A\n\n${body}` }, async ({ read }) => {
            assert.equal(await read("a.md"), `# A\n\n${body}`);
        });
        assert.ok(process.cpuUsage(startedAt).user < 2_000_000);
    });

    it("contains no attributes that run scripts, as the page, but all others and those in code", async () => {
        const body = [
            '<a href="/b" onclick="c1()">A</a> <img src="a.png" alt=\'>\' onerror=c2() onLoad={() => c3({})}> 1 <b onclick',
            '<div\n  class="on" onmouseover = "c4()"/>',
            '<iframe src="data:image/svg+xml,c5" srcdoc="c6" title="T"></iframe>',
            '<object data="javascript:c7"></object><form action="javascript:c8" method="post"></form>',
            '<a href=javascript:c9()>A</a> <a title="B" href="java&#115;cript&colon;c10">B</a> <a href="/b?a=1&amp;b=2">C</a>',
            "`<a onclick=x>`",
            "    <a onclick=x>",
            "A onclick=x < B",
        ];
        await withExport({ "a.md": `# A\n\n${body.join("\n\n")}`, "b.md": "# B" }, async ({ read }) => {
            const shown = [
                '<a href="https://docs.example.com/b">A</a> <img src="a.png" alt=\'>\'> 1 <b onclick',
                '<div\n  class="on"/>',
                '<iframe title="T"></iframe>',
                '<object></object><form method="post"></form>',
                '<a>A</a> <a title="B">B</a> <a href="https://docs.example.com/b?a=1&amp;b=2">C</a>',
                ...body.slice(5),
            ];
            assert.equal(await read("a.md"), `# A\n\n${shown.join("\n\n")}\n`);
        });
    });

    it("contains no such attributes in MDX, either", async () => {
        const body =
            "<Note>\n<button onClick={function () { c1() }}>B</button>\n</Note>\n\n" +
            '<form action="javascript:c2"><input onFocus={c3({ a: 1 })} type="text" /></form>\n\n' +
            '<details open ontoggle="c4()">\n<summary>S</summary>\n</details>';
        const copy = await copyOf(body);
        assert.doesNotMatch(copy, /\bc\d/);
        assert.match(copy, /<button>B<\/button>[^]*<form><input type="text" \/><\/form>[^]*<details open>/);
    });

    for (const opening of ["<!-- b", "<script", "<style", "{/* b"]) {
        it(`contains no such attributes and parts after ${opening} without an end`, async () => {
            const body = `a ${opening}\n\n<!-- c1 -->\n\n<img src=x onerror=c2()> <a href="javascript:c3">y</a>\n`;
            const own = opening === "<!-- b" ? body.replace("<!-- c1 -->", "<style>c1</style>") : body;
            await withExport({ "a.md": `# A\n\n${own}` }, async ({ read }) => {
                const copy = await read("a.md");
                assert.doesNotMatch(copy, /\bc\d/);
                assert.ok(copy.includes(opening) && copy.includes("<img src=x> <a>y</a>"), copy);
            });
        });
    }

    it("contains no such attributes where browsers read a tag that is not written as usual", async () => {
        const tags: Record<string, string> = {
            '<div a="x"onclick="c1()">': '<div a="x">',
            '<a href="&#106;avascript:c1"b>': "<a b>",
            "<div x=`a` onclick=c1()>": "<div x=`a`>",
            "<div x=a=b onclick=c1()>": "<div x=a=b>",
            '<img {...p} onerror="c1()">': "<img {...p}>",
            "<img {a onerror=c1() b}>": "<img>",
            '<div "x" onclick=y()>': '&lt;div "x" onclick=y()>',
        };
        for (const [tag, shown] of Object.entries(tags)) {
            await withExport({ "a.md": `# A\n\n${tag}\n\nText\n` }, async ({ read }) => {
                assert.equal(await read("a.md"), `# A\n\n${shown}\n\nText\n`);
            });
        }
    });

    it("excludes scripts in an item that a paragraph continues from further left", async () => {
        await withExport({ "a.md": "# A\n\n- b\nc\n\n    <script>d()</script>\n" }, async ({ read }) => {
            assert.doesNotMatch(await read("a.md"), /d\(\)/);
        });
    });

    it("keeps comments and scripts in code, and comments without an end, which readers see", async () => {
        const body =
            "`<!-- a -->` and \\<!-- b -->\n\n```html\n<!-- c -->\n<script>d()</script>\n```\n\n    <!-- e -->\n\nText <!-- f";
        await withExport({ "a.md": `# A\n\n${body}` }, async ({ read }) => {
            assert.equal(await read("a.md"), `# A\n\n${body}\n`);
        });
    });

    it("ends code blocks at the same fences as CommonMark", async () => {
        const hidden = '<Visibility for="humans">x</Visibility>';
        for (const code of [
            `\`\`\`\`mdx\n\`\`\`\n${hidden}\n\`\`\`\`\``,
            `~~~ \`\`\`\n\`\`\`\n${hidden}\n~~~`,
            `- \`\`\`\n  \`\`\`js\n  ${hidden}\n  \`\`\``,
            `1. \`\`\`\n   ${hidden}\n   \`\`\`  `,
        ]) {
            assert.equal(await copyOf(`${code}\n\n${hidden}\n\nText`), `${code.trimEnd()}\n\nText\n`);
        }
        assert.equal(await copyOf(`\`\`\` is a fence \`\`\`\n\n${hidden}\n\nText`), "``` is a fence ```\n\nText\n");
    });

    it("is unchanged if tags in plain Markdown are unbalanced", async () => {
        const body = 'Text <Visibility for="humans">\n\nText';
        await withExport({ "a.md": `# A\n\n${body}` }, async ({ read }) => {
            assert.equal(await read("a.md"), `# A\n\n${body}\n`);
        });
    });

    it("ends with the site's instructions for agents, which also begin the page lists", async () => {
        const settings = { description: "Of all things", markdown: { instructions: ["Cite.", "Be brief."] } };
        await withExport({ ...files, "docs.json": config(settings) }, async (site) => {
            const asked = "> ## Agent Instructions\n> Cite.\n> Be brief.\n";
            assert.equal(await site.read("b.md"), `# B\n\nText of B.\n\n${asked}`);
            assert.ok((await site.read("llms.txt")).startsWith(`# Docs\n\n> Of all things\n\n${asked}\n## Docs\n`));
            assert.ok((await site.read("llms-full.txt")).startsWith(`# Docs\n\n${asked}\n# A\n`));
        });
    });
});
