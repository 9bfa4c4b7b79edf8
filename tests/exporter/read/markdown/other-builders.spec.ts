import assert from "node:assert/strict";
import { articleOf } from "../../support/one-page.js";
import { withExport } from "../../support/site-fixture.js";

describe("pages written for another builder", () => {
    it("show Docusaurus' tabs with their labels, also in .md files", async () => {
        const page =
            "---\ntitle: T\n---\n\nimport Tabs from '@theme/Tabs';\nimport TabItem from '@theme/TabItem';\n\n" +
            '<Tabs groupId="os">\n  <TabItem value="mac" label="macOS">\n\n  Use **brew**.\n\n  </TabItem>\n' +
            '  <TabItem value="win">Use scoop.</TabItem>\n</Tabs>\n';
        await withExport({ "a.md": page }, async (site) => {
            const html = await site.read("a.html");
            assert.match(html, /data-title="macOS"[\s\S]*Use <strong>brew<\/strong>[\s\S]*data-title="win"/);
            assert.doesNotMatch(html, /@theme/);
            assert.deepEqual(site.warnings, []);
        });
    });

    it("show tabs that have only values, and tabs that are listed in items", async () => {
        const page =
            '# T\n\n<Tabs items={["npm", "pnpm"]} defaultIndex={1}>\n<Tab value="npm">Use **npm**.</Tab>\n' +
            '<Tab value="pnpm">Use it.</Tab>\n</Tabs>\n\n<Tabs items={["One", "Two"]}>\n<Tab>First</Tab>\n<Tab>Second</Tab>\n</Tabs>\n';
        await withExport({ "a.mdx": page }, async (site) => {
            const html = await site.read("a.html");
            assert.match(
                html,
                /data-first="1"[\s\S]*data-title="npm"[\s\S]*<strong>npm<\/strong>[\s\S]*data-title="pnpm"/,
            );
            assert.match(html, /data-title="One"[\s\S]*First[\s\S]*data-title="Two"[\s\S]*Second/);
            assert.deepEqual(site.warnings, []);
        });
    });

    it("use the tab names in items even if the tabs also have a file name, and open the default tab", async () => {
        const page =
            '# T\n\n<Tabs items={["Vue", "Solid"]} defaultValue="Solid">\n<Tab value="Vue" title="a.ts">One</Tab>\n' +
            '<Tab value="Solid" title="a.ts">Two</Tab>\n</Tabs>\n\n<Tabs>\n<Tab value="npm" title="NPM & co">Three</Tab>\n</Tabs>\n';
        await withExport({ "a.mdx": page }, async (site) => {
            const html = await site.read("a.html");
            assert.match(html, /data-first="1"[\s\S]*id="vue" data-title="Vue"[\s\S]*id="solid" data-title="Solid"/);
            assert.match(html, /data-title="NPM &amp; co"><p class="tab-title">[^\uE000]*NPM &amp; co<\/p>/);
            assert.doesNotMatch(html, /[\uE000\uE001]/);
            assert.deepEqual(site.warnings, []);
        });
    });

    it("show the text of badges, also in Markdown", async () => {
        const badges = '<Badge text="New" variant="tip" size="small" /> and <Badge type="warning" text="^1.9" />';
        await withExport({ "a.mdx": `# A\n\nIs ${badges}.\n`, "b.md": `# B\n\nIs ${badges}.\n` }, async (site) => {
            for (const file of ["a.html", "b.html"]) {
                const html = await site.read(file);
                assert.match(
                    html,
                    /Is <span class="badge[^"]*">New<\/span> and <span class="badge[^"]*">\^1\.9<\/span>\./,
                    file,
                );
            }
            assert.deepEqual(site.warnings, []);
        });
    });

    it("show the content of mdx-code-block as MDX", async () => {
        const page = "# A\n\n```mdx-code-block\n<Tip>\nUse **it**.\n</Tip>\n```\n\n```mdx\n<Tip>\n```\n";
        await withExport({ "a.md": page }, async (site) => {
            const html = await site.read("a.html");
            assert.match(html, /class="callout[\s\S]*Use <strong>it<\/strong>/);
            assert.doesNotMatch(html, /mdx-code-block/);
            assert.match(html, /&lt;|hljs/);
            assert.deepEqual(site.warnings, []);
        });
    });

    it("show trees of items as folders and files", async () => {
        const page =
            '# A\n\n<Tree>\n<TreeItem name="src" defaultOpen>\n<TreeItem label="main.ts" />\n</TreeItem>\n</Tree>\n';
        await withExport({ "a.mdx": page }, async (site) => {
            const html = await site.read("a.html");
            assert.match(html, /<details class="tree-folder" open><summary>src<\/summary>[\s\S]*tree-file">main\.ts</);
            assert.deepEqual(site.warnings, []);
        });
    });

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
        const page = "# A\n\n<b>Bold</b>\n\n```vue [Page.vue]\n<script>\n```\n\n```js{1} [expandable]\na();\n```\n";
        await withExport({ "a.md": page }, async (site) => {
            const html = await site.read("a.html");
            assert.match(html, /<div class="code-title">Page\.vue<\/div>/);
            assert.match(html, /expandable/);
            assert.doesNotMatch(html, /\[expandable\]/);
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
            assert.deepEqual(site.warnings, []);
        });
    });

    it("cause warnings that explain how to fix braces that are not JavaScript", async () => {
        const { html, warnings } = await articleOf("one {two three} four\n\nfive {six\n");
        assert.match(html, /one \{two three\} four[\s\S]*five \{six/);
        const reason = "the text between these braces is not JavaScript; write \\{ for a brace that is text";
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

    it("show admonitions and asides in component notation", async () => {
        const { html, warnings } = await articleOf(
            "import Admonition from '@theme/Admonition';\nimport { Aside } from '@astrojs/starlight/components';\n\n" +
                '<Admonition type="tip" title="Save">time</Admonition>\n\n<Aside type="caution">hot</Aside>\n\n' +
                '<Callout type="warn">mind</Callout>\n',
        );
        assert.match(
            html,
            /class="callout tip"[^>]*aria-label="Save"[\s\S]*class="callout danger"[\s\S]*class="callout warning"/,
        );
        assert.deepEqual(warnings, []);
    });

    it("show cards, accordions, code groups and files with other builders' names", async () => {
        const { html, warnings } = await articleOf(
            '<CardGrid><LinkCard title="Start" description="Begin here" href="https://example.com" /></CardGrid>\n\n' +
                '<Cards><Cards.Card title="Next">on</Cards.Card></Cards>\n\n' +
                '<Accordions><Accordion title="Why?">because</Accordion></Accordions>\n\n' +
                "<CodeBlocks>\n```js a.js\nlet a;\n```\n</CodeBlocks>\n\n" +
                '<Files><Folder name="src"><File name="main.ts" /></Folder></Files>\n',
        );
        assert.match(html, /class="cards"[\s\S]*Start[\s\S]*Begin here[\s\S]*class="cards"[\s\S]*Next/);
        assert.match(html, /<details[\s\S]*Why\?[\s\S]*code-tabs[\s\S]*class="tree"[\s\S]*src[\s\S]*main\.ts/);
        assert.deepEqual(warnings, []);
    });

    it("show tabs and callout icons that have Nextra's names", async () => {
        const { html, warnings } = await articleOf(
            '<Tabs items={["pnpm", "npm"]}>\n<Tabs.Tab>one</Tabs.Tab>\n<Tabs.Tab>two</Tabs.Tab>\n</Tabs>\n\n' +
                '<Callout type="info" emoji="🚀">fast</Callout>\n',
        );
        assert.match(html, /data-title="pnpm"[^]*one[^]*data-title="npm"[^]*two[^]*🚀<\/span>[^]*fast/u);
        assert.deepEqual(warnings, []);
    });

    it("show code and links in the components of Starlight and Fumadocs", async () => {
        const source = `<Code code={"const a = 1;"} lang="js" title="a.js" />\n\n<LinkButton href="/b">Go on</LinkButton>`;
        await withExport({ "index.mdx": source, "b.md": "# B" }, async ({ read, warnings }) => {
            const html = await read("index.html");
            assert.match(html, /data-title="a\.js".*<code class="language-js"><span class="hljs-keyword">const/);
            assert.match(html, /<a href="b\.html"[^>]*>Go on<\/a>/);
            assert.deepEqual(warnings, []);
        });
    });

    it("show icons imported as components, in elements, attributes and front matter", async () => {
        const { html, warnings } = await articleOf(
            "---\nicon: BookOpen\n---\nimport { Rocket, HomeIcon } from 'lucide-react';\nimport { IconBrandGithub } from '@tabler/icons-react';\n\n" +
                '<Rocket size={20} />\n\n<Card title="Home" icon={<HomeIcon />}>x</Card>\n\n<Card title="Code" icon={IconBrandGithub}>y</Card>\n',
        );
        assert.equal(html.match(/<svg/g)?.length, 3);
        assert.deepEqual(warnings, []);
    });

    it("show pictures and links in Docusaurus' notation", async () => {
        const { html, warnings } = await articleOf(
            "import useBaseUrl from '@docusaurus/useBaseUrl';\nimport Link from '@docusaurus/Link';\n\n" +
                "<img src={useBaseUrl('/p.png')} alt=\"one\" />\n\n<img src={require('./p.png').default} alt=\"two\" />\n\n" +
                '<Link to="https://example.com/x">out</Link>\n',
            { "p.png": "picture" },
        );
        assert.match(html, /<img[^>]*src="p\.png"[^>]*alt="one"[\s\S]*<img[^>]*src="p\.png"[^>]*alt="two"/);
        assert.match(html, /<a[^>]*href="https:\/\/example\.com\/x"[^>]*>out<\/a>/);
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

        it("reach files in public/ and static/", async () => {
            const found = await hrefsOf("![a](/images/a.png) ![b](/b.png)", {
                "public/images/a.png": "a",
                "content/static/b.png": "b",
            });
            assert.deepEqual(found, {
                hrefs: ["../../../public/images/a.png", "../../static/b.png"],
                warnings: 0,
            });
        });

        it("reach pages in the root folder of the builder's pages", async () => {
            const found = await hrefsOf("[a](/guides/next) [b](/docs/guides/next)", {
                "content/docs/guides/next.mdx": "# Next",
            });
            assert.deepEqual(found, { hrefs: ["next.html", "next.html"], warnings: 0 });
        });

        it("reach a page by a file name without a leading slash, in the page's folder or a parent folder", async () => {
            const found = await hrefsOf("[a](next.md) [b](more.md#x) [c](nowhere.md)", {
                "content/docs/guides/next.md": "# Next",
                "content/docs/next.md": "# Another",
                "content/docs/more.md": "# More\n\n## X",
            });
            assert.deepEqual(found, { hrefs: ["next.html", "../more.html#x", "nowhere.md"], warnings: 1 });
        });

        it("prefer a file at the root of the site", async () => {
            const found = await hrefsOf("![a](/a.png)", { "a.png": "a", "public/a.png": "b" });
            assert.deepEqual(found, { hrefs: ["../../../a.png"], warnings: 0 });
        });

        it("search no other folder if docs.json sets the root", async () => {
            const settings = { navigation: { pages: ["content/docs/guides/start"] } };
            const found = await hrefsOf("![a](/a.png)", { "public/a.png": "a", "docs.json": JSON.stringify(settings) });
            assert.deepEqual(found, { hrefs: ["../../../a.png"], warnings: 1 });
        });
    });
});
