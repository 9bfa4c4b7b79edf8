import assert from "node:assert/strict";
import { articleOf } from "../../support/one-page.js";
import { withExport } from "../../support/site-fixture.js";

const values = { "snippets/values.mdx": 'export const region = "north"\n\nThe whole content.\n' };

describe("The imports of a page", () => {
    it("show nothing for a name that the file does not export, with a warning that names a similar one", async () => {
        const { html, warnings } = await articleOf(
            'import { regoin, region } from "/snippets/values.mdx"\n\n[{regoin}] [{region}]\n',
            values,
        );
        assert.match(html, /\[\] \[north\]/);
        assert.doesNotMatch(html, /whole content/);
        assert.deepEqual(warnings, ["a.mdx:1: /snippets/values.mdx does not export regoin: did you mean region?"]);
    });

    it("show a snippet without exports under any name, as older sites expect, with a warning", async () => {
        const { html, warnings } = await articleOf('import { Part } from "/snippets/part.mdx"\n\n<Part />\n', {
            "snippets/part.mdx": "Shown.",
        });
        assert.match(html, /<p>Shown\.<\/p>/);
        assert.deepEqual(warnings, [
            "a.mdx:1: /snippets/part.mdx does not export Part, so its whole content is shown: import it without braces",
        ]);
    });

    it("report code that does not parse once, not again for each of its names", async () => {
        const { warnings } = await articleOf('import { one } from "/snippets/broken.jsx"\n\ntext\n', {
            "snippets/broken.jsx": "export const one = ;\n",
        });
        assert.deepEqual(warnings, ["snippets/broken.jsx:1: it does not parse: Unexpected token"]);
    });

    it("can use the content between a snippet's tags as {props.children}", async () => {
        const { html } = await articleOf('import Box from "/snippets/box.mdx"\n\n<Box>inner text</Box>\n', {
            "snippets/box.mdx": "Around {props.children}.",
        });
        assert.match(html, /Around inner text\./);
    });

    it("show a snippet again between its own tags, because it is not within its own text there", async () => {
        const { html, warnings } = await articleOf(
            'import Box from "/snippets/box.mdx"\n\n<Box><Box>inner</Box></Box>\n',
            {
                "snippets/box.mdx": "begin {children} end",
            },
        );
        assert.match(html.replace(/<[^>]*>/g, ""), /begin begin inner end end/);
        assert.deepEqual(warnings, []);
    });

    for (const [what, use] of [
        ["an import", 'import Box from "/snippets/box.mdx"\n\n<Box>inner</Box>\n'],
        ["<Snippet>", '\n\n<Snippet file="box.mdx">inner</Snippet>\n'],
    ] as const) {
        it(`cause a warning if a snippet does not show the content between its tags: ${what}`, async () => {
            const { warnings } = await articleOf(use, { "snippets/box.mdx": "text" });
            const name = use.includes("<Snippet") ? "Snippet" : "Box";
            const reason = `the content of <${name}> is left out: the snippet shows nothing of it`;
            assert.deepEqual(warnings, [`a.mdx:3: ${reason}`]);
        });
    }

    const cycles: [string, string, Record<string, string>][] = [
        [
            "imports itself",
            'import A from "/snippets/a.mdx"\n\n<A />',
            { a: 'import A from "./a.mdx"\n\nOne\n\n<A />\n\nTwo' },
        ],
        [
            "has another name in itself",
            'import X from "/snippets/a.mdx"\n\n<X />',
            { a: 'import A from "./a.mdx"\n\nOne <A />\n\nTwo' },
        ],
        ["names its own file", '<Snippet file="a.mdx" />', { a: 'One\n\n<Snippet file="a.mdx" />\n\nTwo' }],
        [
            "imports a snippet that imports it",
            'import A from "/snippets/a.mdx"\n\n<A />',
            { a: 'import B from "./b.mdx"\n\nOne\n\n<B />', b: 'import A from "./a.mdx"\n\nTwo\n\n<A />' },
        ],
    ];
    for (const [what, source, snippets] of cycles) {
        it(`show the text of a snippet once, with a warning, if it ${what}`, async () => {
            const files = Object.entries(snippets).map(([name, text]) => [`snippets/${name}.mdx`, `${text}\n`]);
            const { html, warnings } = await articleOf(
                `${source}\n`,
                Object.fromEntries(files) as Record<string, string>,
            );
            assert.equal(html.replace(/<h1[^]*?<\/h1>|<[^>]*>|\s/g, ""), "OneTwo");
            assert.match(warnings.join("\n"), /imports itself|the snippet contains itself/);
        });
    }

    it("may show themselves with other attributes, as long as this ends", async () => {
        const { html, warnings } = await articleOf('import A from "/snippets/a.mdx"\n\n<A left={3} />\n', {
            "snippets/a.mdx": "Left: {props.left}\n\n{props.left > 0 && <A left={props.left - 1} />}\n",
        });
        assert.deepEqual(html.match(/Left: \d/g), ["Left: 3", "Left: 2", "Left: 1", "Left: 0"]);
        assert.deepEqual(warnings, []);
    });

    it("are not pages, even without docs.json", async () => {
        await withExport({ "index.mdx": "Home.\n", ...values }, (site) => {
            assert.equal(site.pageCount, 1);
            assert.deepEqual(site.warnings, []);
        });
    });
});

describe("The expressions of a page", () => {
    it("can use lists and objects of its front matter", async () => {
        const { html, warnings } = await articleOf(
            "---\ntags: [one, two]\nowner: { name: Ann }\nempty:\n---\n\n{tags.length}: {frontmatter.tags.join(', ')} by {owner.name}\n",
        );
        assert.match(html, /2: one, two by Ann/);
        assert.deepEqual(warnings, []);
    });
});

describe("The content of <pre> in Markdown", () => {
    it("is shown as a whole if it has more than code", async () => {
        await withExport({ "a.md": "# A\n\n<pre>before <code>x</code> after</pre>\n" }, async (site) => {
            assert.match(await site.read("a.html"), /<pre[^>]*>before <code>x<\/code> after<\/pre>/);
        });
    });
});
