import assert from "node:assert/strict";
import { articleOf } from "../support/one-page.js";
import { exportPage, warningsOf, withExport } from "../support/site-fixture.js";

/** Covers the attributes that the public platform documents, with the text that readers see for each. */
describe("attributes of components", () => {
    const cases: [string, string, RegExp][] = [
        ["an icon's picture", '<Icon src="/i.svg" />', /<img class="icon" src="i.svg"/],
        [
            "an icon's style",
            '<Icon icon="flag" size={20} style={{ marginRight: 4 }} />',
            /<span class="icon-box" style="font-size:20px;margin-right:4px"><svg/,
        ],
        [
            "a callout's icon and colour",
            '<Callout icon="key" color="#ff0000">x</Callout>',
            /class="callout info with-icon"[^>]*style="--tone:#ff0000"><svg/,
        ],
        ["a badge's size and shape", '<Badge size="lg" shape="pill">x</Badge>', /<span class="badge lg pill">x/],
        ["a card's type", '<Card title="T" type="warning">x</Card>', /<div class="card toned warning">/],
        [
            "an arrow without a call to action",
            '<Card title="T" arrow="true">x</Card>',
            /<p class="card-action" aria-hidden="true">→<\/p>/,
        ],
        [
            "a call to action without an arrow",
            '<Card title="T" cta="Go" arrow={false}>x</Card>',
            /<p class="card-action" aria-hidden="true">Go<\/p>/,
        ],
        [
            "the size that all steps' titles have",
            '<Steps titleSize="h3">\n  <Step title="A">x</Step>\n</Steps>',
            /<h3 class="step-title">A<\/h3>/,
        ],
        [
            "a step's own size of its title",
            '<Steps titleSize="h3">\n  <Step title="A" titleSize="h2">x</Step>\n</Steps>\n\n<Steps><Step title="B">x</Step></Steps>',
            /<h2 class="step-title">A<\/h2>[\s\S]*<p class="step-title">B<\/p>/,
        ],
        [
            "colours of every CSS format",
            '<Color variant="compact">\n  <Color.Item name="A" value="oklch(70% 0.2 145)" />\n  <Color.Item name="B" value="color(display-p3 1 0 0)" />\n</Color>',
            /--light:oklch\(70% 0.2 145\)[\s\S]*--light:color\(display-p3 1 0 0\)/,
        ],
        [
            "a tree's colour of what is highlighted",
            '<Tree style={{ "--tree-highlight": "rgb(59 130 246)" }}>x</Tree>',
            /<div class="tree" role="group" aria-label="Files" style="--tree-highlight:rgb\(59 130 246\)">/,
        ],
        [
            "a repository's address",
            '<GitHub.Repo repo="https://github.com/a/b" />',
            /<a href="https:\/\/github.com\/a\/b">a\/b<\/a>/,
        ],
        [
            "a prompt's way to an editor",
            '<Prompt description="D" actions={["cursor"]}>\nDo it\n</Prompt>',
            /<div class="code wrap expandable nocopy">[\s\S]*<a href="cursor:\/\/anysphere.cursor-deeplink\/prompt\?text=Do%20it">/,
        ],
        [
            "a code block's icon and missing copy button",
            '<CodeBlock language="js" filename="lines of a.js" icon="flag" nocopy>a</CodeBlock>',
            /<div class="code nocopy" data-title="lines of a.js"><div class="code-title"><svg/,
        ],
        [
            "a heading's level, id and missing anchor",
            '<Heading level={3} id="here" noAnchor>Title</Heading>',
            /<h3 id="here">(?:<span id="title"><\/span>)?Title<\/h3>/,
        ],
        [
            "a picture's measures",
            '<Image src="/i.svg" alt="A" width="20" className="x" />',
            /<img alt="A" src="i.svg" width="20" class="x" loading="lazy">/,
        ],
        ["a link's target", '<Link href="/a" target="_blank">x</Link>', /<a href="a.html" target="_blank">x<\/a>/],
    ];
    for (const [what, source, html] of cases) {
        it(`show ${what}`, async () => {
            await withExport({ "a.mdx": source, "i.svg": "<svg/>" }, async (site) => {
                assert.match(await site.read("a.html"), html);
                assert.deepEqual(site.warnings, []);
            });
        });
    }

    it("let an embedded video autoplay, and leave other videos unchanged", async () => {
        const frameOf = (video: string) => exportPage("a.mdx", `<Frame>\n  ${video}\n</Frame>`);
        assert.match(
            await frameOf('<video autoPlay src="https://example.com/a.mp4" />'),
            /<video autoplay src="https:\/\/example.com\/a.mp4" muted loop playsinline>/,
        );
        assert.match(await frameOf('<video src="https://example.com/a.mp4" loop />'), /<video src="[^"]*" loop>/);
    });

    it("do not wrap a heading's text in a paragraph if the text is on a separate line", async () => {
        assert.match(
            await exportPage("a.mdx", "# A\n\n<h2 noAnchor>\n  One thing\n</h2>"),
            /<h2 id="one-thing">One thing<\/h2>/,
        );
    });

    it("give a heading in component notation an entry in the table of contents", async () => {
        await withExport({ "a.mdx": "## One\n\n<Heading level={2}>Two</Heading>\n\ntext" }, async (site) => {
            assert.match(await site.read("a.html"), /<aside class="toc"[^>]*>[\s\S]*href="#two">Two<\/a>/);
        });
    });

    it("cause a warning if they name a repository that is not on GitHub", async () => {
        assert.deepEqual(await warningsOf({ "a.mdx": '<GitHub.Repo repo="https://example.com/a/b" />' }), [
            "a.mdx:1: repo in <GitHub.Repo> must be owner/name or an address on github.com",
        ]);
    });

    it("are reported if the component does not show their text", async () => {
        const page =
            '<CodeGroup title="Request">\n```js\na\n```\n</CodeGroup>\n\n<Card title="T" description="shown" />\n\n' +
            '<Card title="T" description="not shown">\n  Content\n</Card>\n';
        const { warnings } = await articleOf(page);
        assert.deepEqual(warnings, [
            "a.mdx:1: title in <CodeGroup> is left out: the component shows no such text",
            "a.mdx:9: description in <Card> is left out: the component shows no such text",
        ]);
    });

    it("are reported if the component does not support them, except common HTML attributes", async () => {
        const page =
            '<ParamField path="id" type="string" placeholder="a1">\n  Text\n</ParamField>\n\n' +
            '<Note id="n" className="wide" style={{ color: "red" }} data-x="1" aria-label="n" key="n" wide>\n  Text\n</Note>\n\n' +
            '<Card title="T" icon="flag" iconType="solid" horizontal={false} shadow={false} />\n';
        const { warnings } = await articleOf(page);
        assert.deepEqual(warnings, [
            "a.mdx:1: placeholder in <ParamField> has no effect: the component has no such attribute here",
            "a.mdx:5: wide in <Note> has no effect: the component has no such attribute here",
        ]);
    });

    it("name a tab outside of a list by its title, without formatting", async () => {
        const { html } = await articleOf('<Tab>One</Tab>\n\n<Tab title="a.ts" value="b">Two</Tab>\n');
        assert.doesNotMatch(html, /[\uE000-\uF8FF]/);
        assert.match(html, /data-title="Tab"[\s\S]*data-title="a\.ts"/);
    });
});

describe("a fence", () => {
    it("shows its icon next to its language if it has no title", async () => {
        const html = await exportPage("a.md", "```js icon=flag\na\n```");
        assert.match(html, /<div class="code-title"><svg[\s\S]*<\/svg>js<\/div>/);
    });

    it("may hide the copy button even if it names no language", async () => {
        assert.match(await exportPage("a.md", "```nocopy\na\n```"), /<div class="code nocopy"><pre/);
        assert.match(await exportPage("a.md", '```js nocopy="false"\na\n```'), /<div class="code" data-title="js">/);
    });
});
