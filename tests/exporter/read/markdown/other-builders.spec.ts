import assert from "node:assert/strict";
import { articleOf } from "../../support/one-page.js";
import { withExport } from "../../support/site-fixture.js";

describe("pages written for another platform", () => {
    it("report mkdocstrings blocks", async () => {
        const page =
            "# A\n\n::: fastapi.FastAPI\n    options:\n        members:\n            - get\n\n::: note.utils\n";
        await withExport({ "a.md": page }, (site) => {
            const [warning] = site.warnings;
            assert.match(warning?.reason ?? "", /^blocks of mkdocstrings/);
            assert.deepEqual([warning?.line, warning?.elsewhere?.places.map(({ line }) => line)], [3, [8]]);
            assert.equal(site.warnings.length, 1);
        });
    });

    it("resolve imports anywhere in .md files except in code", async () => {
        const files = {
            "a.md": "# A\n\nText.\n\nimport Part from './_part.md';\n\n<Part/>\n",
            "_part.md": "The part.",
            "b.md": "# B\n\n```mdx\nimport Part from './_part.md';\n\n<Part/>\n```\n\n{x}\n",
        };
        await withExport(files, async (site) => {
            assert.match(await site.read("a.html"), /<p>The part\.<\/p>/);
            assert.match(await site.read("b.html"), /<p>\{x\}<\/p>/);
            assert.deepEqual(site.warnings, []);
        });
    });

    it("show the components of .md files without imports", async () => {
        const page =
            '# A\n\n- <Card title="Card in a list" href="/a" />\n\n<AccordionGroup>\n<Accordion title="Folded">\n### Inside\n' +
            '</Accordion>\n</AccordionGroup>\n\n<ResponseField name="id"\n  type="string">\nIts **name**.\n</ResponseField>\n';
        await withExport({ "a.md": page }, async (site) => {
            const html = await site.read("a.html");
            assert.match(html, /Card in a list[\s\S]*<summary>[\s\S]*Folded[\s\S]*<h3[^>]*id="inside"/);
            assert.match(html, /string[\s\S]*Its <strong>name<\/strong>/);
            assert.deepEqual(site.warnings, []);
        });
    });

    it("stay Markdown if they are .md files with components only in code, or with an unclosed component", async () => {
        const page = "# A\n\n```mdx\n<Note>x</Note>\n```\n\n<Card>\n\n{x} and <b>bold\n\n<Server>y\n";
        await withExport({ "a.md": page }, async (site) => {
            assert.match(await site.read("a.html"), /\{x\} and <b>bold/);
            assert.deepEqual(site.warnings, []);
        });
    });

    it("keep code titles and code options in .md files that also contain HTML", async () => {
        const page = "# A\n\n<b>Bold</b>\n\n```vue Page.vue\n<script>\n```\n\n```js{1} expandable\na();\n```\n";
        await withExport({ "a.md": page }, async (site) => {
            const html = await site.read("a.html");
            assert.match(html, /<div class="code-title">Page\.vue<\/div>/);
            assert.match(html, /class="code expandable"/);
        });
    });

    it("show tags as text in a fence that contains other fences or is not closed", async () => {
        const page = "# A\n\n```yaml\nname: <first>\n\n```bash\nrun <second>\n```\n\n<b>Bold</b>\n\n```\n<third>";
        await withExport({ "a.md": page }, async (site) => {
            const html = await site.read("a.html");
            for (const name of ["first", "second", "third"]) {
                assert.match(html, new RegExp(`(?<!amp;)&lt;(?:<span[^>]*>)?${name}`));
            }
            assert.doesNotMatch(html, /&amp;lt;/);
            assert.deepEqual(
                site.warnings.map(({ line, reason }) => `${line}: ${reason.split(":", 1)[0]}`),
                ["12: the code that begins here has no end, so everything after it is code"],
            );
        });
    });

    it("cause warnings that explain how to fix braces that are not JavaScript", async () => {
        const { html, warnings } = await articleOf("one {two three} four\n\nfive {six\n");
        assert.match(html, /one \{two three\} four[\s\S]*five \{six/);
        const reason = "the text between these braces is not JavaScript: write \\{ for a brace that is text";
        assert.deepEqual([...new Set(warnings.map((warning) => warning.replace(/^a\.mdx:\d+: /, "")))], [reason]);
    });

    it("show several elements grouped with <Fragment>", async () => {
        const { html, warnings } = await articleOf(
            "<Fragment>\n\none\n\n</Fragment>\n\n<React.Fragment>two</React.Fragment>\n",
        );
        assert.match(html, /<p>one<\/p>\s*(?:<p>)?two/);
        assert.deepEqual(warnings, []);
    });

    it("stay Markdown if they are .md files that only show an import in code", async () => {
        await withExport(
            { "a.md": "# A\n\n    import A from 'a'\n\nValues {x} and `<A />` <b>bold\n" },
            async (site) => {
                assert.match(await site.read("a.html"), /Values \{x\} and/);
                assert.deepEqual(site.warnings, []);
            },
        );
    });

    it("show cards, accordions, code groups and files with the names of other platforms", async () => {
        const { html, warnings } = await articleOf(
            '<Cards><Card title="Next">on</Card></Cards>\n\n' +
                '<Accordions><Accordion title="Why?">because</Accordion></Accordions>\n\n' +
                "<CodeBlocks>\n```js a.js\nlet a;\n```\n</CodeBlocks>\n\n" +
                '<Files><Folder name="src"><File name="main.ts" /></Folder></Files>\n',
        );
        assert.match(html, /class="cards"[\s\S]*Next/);
        assert.match(html, /<details[\s\S]*Why\?[\s\S]*code-tabs[\s\S]*class="tree"[\s\S]*src[\s\S]*main\.ts/);
        assert.deepEqual(warnings, []);
    });

    it("show icons imported as components, in elements, attributes and front matter", async () => {
        const { html, warnings } = await articleOf(
            "---\nicon: BookOpen\n---\nimport { Rocket, HomeIcon } from 'lucide-react';\nimport { IconBrandGithub } from '@tabler/icons-react';\n\n" +
                '<Rocket size={20} />\n\n<Card title="Home" icon={<HomeIcon />}>x</Card>\n\n<Card title="Code" icon={IconBrandGithub}>y</Card>\n',
        );
        assert.equal(html.match(/<svg/g)?.length, 3);
        assert.deepEqual(warnings, []);
    });

    it("cause warnings about packages that an export does not support", async () => {
        const { warnings } = await articleOf("import Chart from 'some-charts';\n\n<Chart />\n");
        assert.match(String(warnings[0]), /^a\.mdx:1: the site has no file some-charts/);
    });

    describe("with links from the root", () => {
        const page = "content/docs/guides/start.mdx";
        const hrefsOf = async (source: string, others: Record<string, string>) => {
            let found = { hrefs: [] as string[], warnings: 0 };
            await withExport({ [page]: source, ...others }, async ({ read, warnings }) => {
                const html =
                    /<article[^>]*>[\s\S]*<\/article>/.exec(await read("content/docs/guides/start.html"))?.[0] ?? "";
                const hrefs = [...html.matchAll(/ (?:href|src)="([^"#][^"]*)"/g)].map(([, href]) => href as string);
                found = { hrefs, warnings: warnings.length };
            });
            return found;
        };

        it("reach pages in the folders around the page", async () => {
            const found = await hrefsOf("[a](/guides/next) [b](/docs/guides/next)", {
                "content/docs/guides/next.mdx": "# Next",
            });
            assert.deepEqual(found, { hrefs: ["next.html", "next.html"], warnings: 0 });
        });

        it("prefer a file at the root of the site", async () => {
            const found = await hrefsOf("![a](/a.png)", { "a.png": "a", "content/a.png": "b" });
            assert.deepEqual(found, { hrefs: ["../../../a.png"], warnings: 0 });
        });

        it("search no other folder if docs.json sets the root", async () => {
            const settings = { navigation: { pages: ["content/docs/guides/start"] } };
            const found = await hrefsOf("![a](/a.png)", {
                "content/a.png": "a",
                "docs.json": JSON.stringify(settings),
            });
            assert.deepEqual(found, { hrefs: ["../../../a.png"], warnings: 1 });
        });
    });
});
