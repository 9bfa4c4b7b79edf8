import assert from "node:assert/strict";
import { articleOf } from "../support/one-page.js";
import { exportPage, warningsOf, withExport } from "../support/site-fixture.js";

describe("fences", () => {
    it("do not show options as their title", async () => {
        const titleOf = async (meta: string) =>
            /<div class="code-title">(.*?)<\/div>/.exec(await exportPage("a.md", `\`\`\`js ${meta}\na\n\`\`\``))?.[1];
        assert.equal(await titleOf("main.ts {1,3-5} lines wrap expandable"), "main.ts");
        assert.equal(await titleOf('"Two words" nocopy twoslash'), "Two words");
        assert.equal(await titleOf('title="a" highlight={1} focus={2}'), "a");
        assert.equal(await titleOf("title=lib/main.dart (excerpt) lines"), "lib/main.dart (excerpt)");
        assert.equal(await titleOf("{1} lines highlight=[2]"), undefined);
        assert.match(
            await exportPage("a.md", '```title="The main file"\na\n```'),
            /<div class="code-title">The main file</,
        );
    });

    it("mark highlighted, focused, added and removed lines", async () => {
        const source = "```js {1} focus={2} lines\na // [!code ++]\n/* b\n c */\nd // [!code --]\n```";
        const html = await exportPage("a.md", source);
        assert.match(html, /<div class="code numbered focused" data-title="js">/);
        assert.match(html, /<span class="line add highlight">a\n<\/span>/);
        assert.match(html, /<span class="line focus"><span class="hljs-comment">\/\* b<\/span>\n<\/span>/);
        assert.match(html, /<span class="line"><span class="hljs-comment"> c \*\/<\/span>\n<\/span>/);
        assert.match(html, /<span class="line remove">d\n<\/span>/);
    });

    it("become diagrams if they contain mermaid, and only pages with diagrams load the drawing script", async () => {
        await withExport({ "a.md": "```mermaid\nflowchart LR\na --> b\n```", "b.md": "# B" }, async (site) => {
            assert.match(
                await site.read("a.html"),
                /<pre class="mermaid" role="group" aria-label="Diagram" tabindex="0">flowchart LR\na --&gt; b\n<\/pre>/,
            );
            assert.match(await site.read("a.html"), /data-diagrams="static-export\/diagrams.js"/);
            assert.doesNotMatch(await site.read("b.html"), /data-diagrams/);
            assert.match((await site.read("static-export/diagrams.js")).slice(0, 2000), /./);
        });
        await withExport({ "b.md": "# B" }, async (site) => {
            await assert.rejects(site.read("static-export/diagrams.js"));
        });
    });
});

describe("code in a component", () => {
    it("reports an expression once, and shows a name without a value", async () => {
        const page = "<CodeBlock>\nuse {name} and {fn()}\n</CodeBlock>\n\n<h4>{other()}</h4>\n";
        assert.match(await exportPage("a.mdx", page), /<code>use \{name\} and <\/code>/);
        assert.deepEqual(await warningsOf({ "a.mdx": page }), [
            "a.mdx:2: {name} is shown as it is written, because name has no value here: write \\{name} if that " +
                "is intended",
            "a.mdx:2: an expression is left out: fn has no value here",
            "a.mdx:5: an expression is left out: other has no value here",
        ]);
    });
});

describe("formulas", () => {
    it("are rendered as MathML without a script", async () => {
        const html = await exportPage("a.md", "Mass $E = mc^2$ and\n\n$$\n\\frac{a}{b}\n$$\n");
        assert.match(html, /<p>Mass <span class="katex"><math[\s\S]*<\/math><\/span> and<\/p>/);
        assert.match(html, /<div class="formula" tabindex="0">[\s\S]*<mfrac>/);
    });

    it("are written in the ways of GitHub, too", async () => {
        const html = await exportPage("a.md", "Mass $`E_1*2*3`$ and\n\n```math\n\\frac{a}{b}\n```\n");
        assert.match(html, /<p>Mass <span class="katex"><math[^]*E_1\*2\*3<\/annotation>/);
        assert.doesNotMatch(html, /`|‘/);
        assert.match(html, /<div class="formula" tabindex="0">[^]*<mfrac>/);
    });

    it("do not include prices and shell variables, and stay unchanged if they are invalid", async () => {
        assert.doesNotMatch(await exportPage("a.md", "From $5 to $10, $HOME and $USER"), /<math/);
        assert.deepEqual(await warningsOf({ "a.md": "$$\n\\frac{a\n$$\n" }), [
            "a.md:1: the formula is shown as it is written: KaTeX parse error: Unexpected end of input in a macro argument, expected '}' at end of input: \\frac{a",
        ]);
    });
});

describe("icons", () => {
    it("are inlined into the page from the library named in docs.json", async () => {
        const page = '<Icon icon="house" size={32} color="#ff0000" />';
        assert.match(
            await exportPage("a.mdx", page),
            /<span class="icon-box" style="color:#ff0000;font-size:32px"><svg class="icon" viewBox="0 0 640 640"/,
        );
        const config = { icons: { library: "lucide" }, navigation: { pages: ["a"] } };
        await withExport({ "a.mdx": page, "docs.json": JSON.stringify(config) }, async (site) => {
            assert.match(await site.read("a.html"), /<svg class="icon" viewBox="0 0 24 24"/);
        });
    });

    it("are reported once with file and line if front matter names an unknown icon", async () => {
        const files = {
            "a.md": "---\ntitle: A\nicon: no-such\n---\n",
            "b.md": "---\ntitle: B\nicon: house\n---\n",
            "docs.json": JSON.stringify({ navigation: { groups: [{ group: "G", icon: "none", pages: ["a", "b"] }] } }),
        };
        const reason = (name: string) =>
            `there is no icon "${name}" in the sets that the export includes (Font Awesome Free, Lucide, Tabler)`;
        assert.deepEqual(await warningsOf(files), [`a.md:3: ${reason("no-such")}`, `docs.json:1: ${reason("none")}`]);
    });

    it("come from another library if the configured library lacks the icon", async () => {
        const names = ["home", "a-b-2", "user-hexagon"];
        const page = names.map((icon) => `<Icon icon="${icon}" />`).join("\n\n");
        for (const library of ["fontawesome", "tabler"]) {
            const config = { icons: { library }, navigation: { pages: ["a"] } };
            await withExport({ "a.mdx": page, "docs.json": JSON.stringify(config) }, async ({ read, warnings }) => {
                const boxes = [...(await read("a.html")).matchAll(/<svg class="icon" viewBox="0 0 (\d+)/g)];
                assert.deepEqual(
                    boxes.map(([, width]) => width),
                    [library === "tabler" ? "24" : "640", "24", "24"],
                );
                assert.deepEqual(warnings, []);
            });
        }
    });

    it("can be pictures, and are left out with a warning if they are unknown", async () => {
        await withExport({ "g/a.mdx": '<Card title="T" icon="/i.svg">x</Card>', "i.svg": "<svg/>" }, async (site) => {
            assert.match(await site.read("g/a.html"), /<img class="icon" src="..\/i.svg" alt="" loading="lazy"> T/);
        });
        assert.deepEqual(await warningsOf({ "a.mdx": '# A\n\n<Icon icon="no-such" />' }), [
            'a.mdx:3: there is no icon "no-such" in the sets that the export includes (Font Awesome Free, Lucide, Tabler)',
        ]);
    });
});

describe("components", () => {
    for (const name of ["Icon", "Image", "Color.Item", "Tree.File", "img", "br"]) {
        it(`lose no content between their tags, even if they cannot contain anything: ${name}`, async () => {
            const { html, warnings } = await articleOf(`Text <${name}>and **more**</${name}>\n`);
            assert.match(html, /and <strong>more<\/strong>/);
            const reason = `<${name}> cannot contain anything: the content between its tags follows it`;
            assert.deepEqual(warnings, [`a.mdx:1: ${reason}`]);
        });
    }

    const cases: [string, string, RegExp][] = [
        [
            "callouts",
            '<Tip title="Try">\n  Do **it**\n</Tip>',
            /<div class="callout tip" role="note" aria-label="Try"><p class="callout-title">Try<\/p><p>Do <strong>it<\/strong><\/p><\/div>/,
        ],
        [
            "cards side by side, with links that hold on the page",
            '<CardGroup cols={3}>\n  <Card title="B & C" href="/b" icon="flag">Go</Card>\n</CardGroup>',
            /<div class="cards" style="--columns:3"><div class="card"><p class="card-title"><svg class="icon"[^>]*>.*?<\/svg> <a href="b.html">B &amp; C<\/a><\/p>/,
        ],
        [
            "cards whose attributes are text and no HTML",
            "<Card title='<script>\"'>x</Card>",
            /<p class="card-title">&lt;script&gt;&quot;<\/p>/,
        ],
        [
            "cards with pictures and calls to action",
            '<Card title="T" img="/i.png" href="https://example.com" cta="Go">x</Card>',
            /<div class="card-image"><img src="i.png" alt="" loading="lazy"><\/div>[\s\S]*<p class="card-action" aria-hidden="true">Go →<\/p>/,
        ],
        [
            "cards without a title, whose link is read out as what they hold",
            '<Card href="https://example.com">Read **on**</Card>',
            /<p class="card-title"><a href="https:\/\/example\.com" rel="noopener" aria-label="Read on"><\/a><\/p>/,
        ],
        ["tiles", '<Tile href="/b" title="T" description="D">x</Tile>', /<div class="tile">[\s\S]*href="b.html">T/],
        [
            "captions with Markdown",
            '<Frame caption="a **b**">x</Frame>',
            /<figcaption>a <strong>b<\/strong><\/figcaption>/,
        ],
        [
            "trees",
            '<Tree>\n  <Tree.Folder name="src" defaultOpen>\n    <Tree.File name="a.ts" highlight />\n  </Tree.Folder>\n</Tree>',
            /<details class="tree-folder" open><summary>src<\/summary>[\s\S]*<mark>a.ts<\/mark>/,
        ],
        [
            "tooltips that a keyboard reaches",
            'See <Tooltip tip="Text" headline="H">this</Tooltip>',
            /<button type="button" aria-describedby="tip">this<\/button><span class="tooltip-text" role="tooltip" id="tip"><strong>H<\/strong> Text/,
        ],
        ["badges", '<Badge color="green">x</Badge>', /<span class="badge green">x<\/span>/],
        [
            "colours",
            '<Color variant="compact">\n  <Color.Item name="A" value="#ff0000" />\n</Color>',
            /style="--light:#ff0000;--dark:#ff0000"><\/span><span>A<\/span><code>#ff0000<\/code>/,
        ],
        ["repositories", '<GitHub.Repo repo="a/b" />', /<a href="https:\/\/github.com\/a\/b">a\/b<\/a>/],
        ["prompts", '<Prompt description="Ask">\nDo it\n</Prompt>', /<p class="prompt-title">Ask<\/p>[\s\S]*Do it/],
        ["panels", "<Panel>x</Panel>", /<div class="panel"[^>]* role="group" aria-label="Details">x<\/div>/],
        [
            "tabs that read well without a script",
            '<Tabs>\n  <Tab title="A">x</Tab>\n</Tabs>',
            /<section class="tab" id="a" data-title="A"><p class="tab-title">A<\/p>x<\/section>/,
        ],
        [
            "groups of code",
            "<CodeGroup>\n```bash npm\nnpm i\n```\n</CodeGroup>",
            /<div class="tabs code-tabs" data-sync><div class="code" data-title="npm">/,
        ],
        ["views", '<View title="V">x</View>', /<section class="view" id="v" data-title="V">/],
        [
            "updates",
            '<Update label="v1" description="Day" tags={["new"]}>x</Update>',
            /<section class="update" id="v1">[\s\S]*<span class="badge">new<\/span>/,
        ],
        [
            "fields",
            '<ResponseField name="id" type="string" required deprecated default="x" pre={["p"]}>y</ResponseField>',
            /<div class="field" id="response-id"><p class="field-name"><span>p<\/span><code>id<\/code><span>string<\/span><span>required<\/span><span>deprecated<\/span><span>default: x<\/span>/,
        ],
        [
            "parameters by the place where they stand",
            '<ParamField body="name" type="string" required>Text</ParamField>',
            /<code>name<\/code><span>string<\/span><span>body<\/span><span>required<\/span>/,
        ],
        [
            "code blocks",
            '<CodeBlock language="js" filename="a.js">\n{`const a = 1;`}\n</CodeBlock>',
            /hljs-keyword">const/,
        ],
        [
            "code blocks with values of the page",
            'export const yaml = "a: 1"\n\n<CodeBlock className="language-yaml">\n  {yaml}\n</CodeBlock>',
            /<code>a: 1<\/code>/,
        ],
        [
            "formulas with values of the page",
            "export const n = 2\n\n<Latex>{`x^${n}`}</Latex>",
            /<annotation encoding="application\/x-tex">x\^2</,
        ],
        [
            "prompts with values of the page",
            'export const what = "docs.json"\n\n<Prompt description="d">Write {what}.</Prompt>',
            /<code>Write docs\.json\.<\/code>/,
        ],
        [
            "drawings in the size that their class names ask for",
            '<svg className="mr-2 h-6 w-[20px]" viewBox="0 0 1 1"></svg>',
            /<svg class="mr-2 h-6 w-\[20px\]" viewBox="0 0 1 1" style="height:1.5rem;width:20px"><\/svg>/,
        ],
        [
            "pictures in the size of their class names, unless their style says another one",
            '<img class="size-2.5" style={{ width: 4 }} src="/i.png" alt="" />',
            /<img class="size-2.5" style="width:4px;height:0.625rem" src="i.png"/,
        ],
        [
            "steps",
            '<Steps>\n  <Step title="One">Do</Step>\n</Steps>',
            /<ol class="steps"><li id="one"><p class="step-title">One<\/p>Do<\/li><\/ol>/,
        ],
        ["steps without a title", "<Steps><Step>Do it</Step></Steps>", /<ol class="steps"><li>Do it<\/li><\/ol>/],
        [
            "steps without a list as one, in their order",
            '<Step title="A">x</Step>\n\n<Step title="B">y</Step>',
            /<ol class="steps" start="1"><li id="a">.*<\/li><\/ol>\s*<ol class="steps" start="2"><li id="b">/,
        ],
        [
            "headings in the place of steps, in no list",
            "<Steps>\n### One\n\nx\n\n### Two\n</Steps>",
            /<div><h3 id="one">[\s\S]*<h3 id="two">[\s\S]*<\/div>/,
        ],
        [
            "parts that fold and are open from the start",
            '<Accordion title="More" defaultOpen={true}>x</Accordion>',
            /<details class="accordion" id="more" open><summary>More<\/summary>/,
        ],
        [
            "parts that fold by a name, also for an empty one",
            '<Accordion title="">x</Accordion>',
            /<summary>More<\/summary>/,
        ],
        ["links", '<Link href="/b">x</Link>', /<a href="b.html">x<\/a>/],
        ["pairs of pictures", '<img className="dark:hidden" src="/i.png" />', /<img class="dark:hidden" src="i.png"/],
    ];
    for (const [what, source, html] of cases) {
        it(`render ${what}`, async () => {
            const files = { "a.mdx": source, "b.md": "# B", "i.png": "i" };
            await withExport(files, async (site) => {
                assert.match(await site.read("a.html"), html);
                assert.deepEqual(site.warnings, []);
            });
        });
    }

    it("leave out content for agents", async () => {
        const html = await exportPage(
            "a.mdx",
            '<Visibility for="agents">no</Visibility><Visibility for="humans">yes</Visibility>',
        );
        assert.doesNotMatch(html, /no/);
        assert.match(html, /yes/);
    });

    it("allow only colours in a style", async () => {
        assert.doesNotMatch(await exportPage("a.mdx", '<Icon icon="house" color="red;}</style>" />'), /style=/);
    });
});
