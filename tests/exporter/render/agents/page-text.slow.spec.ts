import assert from "node:assert/strict";
import { type Files, withExport, withRepeatedExports, writeFiles } from "../../support/site-fixture.js";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

async function textOf(body: string, files: Files = {}): Promise<string> {
    let text = "";
    await withExport({ "a.mdx": `# A\n\n${body}`, ...files }, async ({ read }) => {
        text = (await read("a.md")).replace("# A\n\n", "");
    });
    return text.trimEnd();
}

const cases: readonly (readonly [source: string, text: string])[] = [
    ["<Note>\n  First.\n\n  - a\n</Note>", "> [!NOTE]\n> First.\n>\n> - a"],
    ['<Warning title="Careful">Hot</Warning>', "> [!WARNING]\n> **Careful**\n>\n> Hot"],
    ['<Callout type="danger">Hot</Callout>', "> [!CAUTION]\n> Hot"],
    ['<Callout type="hint">Cool</Callout>', "> [!TIP]\n> Cool"],
    ['<Alert type="tip">Cool</Alert>', "> [!TIP]\n> Cool"],
    ['<Card title="One" icon="x" href="/one">\n  Text.\n</Card>', "- [One](/one): Text."],
    [
        '<CardGroup cols={2}>\n  <Card title="A" href="/a b" />\n  <Card title="B">\n    1\n\n    2\n  </Card>\n</CardGroup>',
        "- [A](/a%20b)\n- B\n\n  1\n\n  2",
    ],
    [
        '<Steps>\n  <Step title="Install">\n    ```bash\n    npm i\n    ```\n  </Step>\n  <Step title="Use">It</Step>\n</Steps>',
        "1. **Install**\n\n   ```bash\n   npm i\n   ```\n2. **Use**\n\n   It",
    ],
    [
        '<Tabs>\n  <Tab title="npm">\n    A\n  </Tab>\n  <Tab title="yarn">B</Tab>\n</Tabs>',
        "**npm**\n\nA\n\n**yarn**\n\nB",
    ],
    [
        '<Steps>{["A", "B"].map((title) => <Step title={title}>Do {title}</Step>)}</Steps>',
        "1. **A**\n\n   Do A\n2. **B**\n\n   Do B",
    ],
    [
        '<Steps>\n  <Step title="A">Do</Step>\n\n  {["B", "C"].map((title) => <Step title={title} />)}\n</Steps>',
        "1. **A**\n\n   Do\n2. **B**\n3. **C**",
    ],
    ['<Tabs><Tab title="npm">A</Tab><Tab title="yarn">B</Tab></Tabs>', "**npm**\n\nA\n\n**yarn**\n\nB"],
    [
        '<Steps><Step title="Install">A</Step><Step title="Use">B</Step></Steps>',
        "1. **Install**\n\n   A\n2. **Use**\n\n   B",
    ],
    ['<Accordion title="More">Text</Accordion>', "**More**\n\nText"],
    ['- item\n\n  <Tabs><Tab title="npm">A</Tab></Tabs>', "- item\n\n  **npm**\n\n  A"],
    ["<CodeGroup>\n\n```js a.js\na\n```\n\n</CodeGroup>", "```js a.js\na\n```"],
    ['<Accordion title="More" description="About it">\n  Text\n</Accordion>', "**More**\n\nAbout it\n\nText"],
    [
        '<ParamField path="id" type="string" required>\n  The id.\n</ParamField>',
        "- `id` (string, path, required): The id.",
    ],
    [
        '<ResponseField name="n" type="number" default={3}>\n  <Expandable title="more">\n    <ResponseField name="in" deprecated />\n  </Expandable>\n</ResponseField>',
        "- `n` (number, default: 3)\n\n  **more**\n\n  - `in` (deprecated)",
    ],
    [
        '<ResponseField name="on" default={false} pre="new" post={["read only", "beta"]}>\n  Text\n</ResponseField>',
        "- new `on` (read only, beta, default: false): Text",
    ],
    ['<Update label="May" tags={["new", "fixed"]}>\n  Text\n</Update>', "## May\n\nnew, fixed\n\nText"],
    ['<Color.Item name="Sea" value={{ light: "#00f", dark: "#009" }} />', "- Sea: `#00f / #009`"],
    ['<Tree>\n  <Tree.Folder name="src">\n    <Tree.File name="a" />\n  </Tree.Folder>\n</Tree>', "- src/\n  - a"],
    ['<Frame caption="Seen"><img src="/a.png" alt="A" className="x" /></Frame>', "![A](/a.png)\n\nSeen"],
    ['Use the <Tooltip tip="Interface">API</Tooltip>.', "Use the API (Interface)."],
    ['A <Badge color="red">new</Badge> one', "A new one"],
    ['<Prompt description="Do it">\nDo `it`.\n</Prompt>', "**Do it**\n\n```text\nDo `it`.\n```"],
    ['<Prompt description={["Do", "it"].join(" ")}>\nDo it.\n</Prompt>', "**Do it**\n\n```\nDo it.\n```"],
    ['<Update label="May" description="News">\n  Text\n</Update>', "## May\n\nNews\n\nText"],
    ['<div className="x">\n\n  ## Inside\n\n</div>', "## Inside"],
    ['<a href="/b">B</a> and <kbd>Ctrl</kbd>', "[B](/b) and <kbd>Ctrl</kbd>"],
    ['<a href="/b">\n  ### B\n\n  Text\n</a>', "[B Text](/b)"],
    ['<Color.Item name="Sea" value="#00f" />', "- Sea: `#00f`"],
    ['<CodeBlock language="js" filename="a.js">{"let a;"}</CodeBlock>', "```js a.js\nlet a;\n```"],
    ["- item\n\n  <Tip>\n    In a list\n  </Tip>", "- item\n\n  > [!TIP]\n  > In a list"],
    ["> <Info>Quoted</Info>", "> > [!NOTE]\n> > Quoted"],
    ["| a |\n| --- |\n| <Note>x</Note> |", "| a |\n| --- |\n| x |"],
    [
        '| {"a | b"} |\n| --- |\n| **{["x", "y"].join("|")}** |\n| <Badge>p \\| q</Badge> |\n\n{"a | b"}',
        "| a \\| b |\n| --- |\n| **x\\|y** |\n| p \\| q |\n\na | b",
    ],
    [
        "Text {/* hidden */}and `<Note>` and\n\n```mdx\n<Note>x</Note>\n```",
        "Text and `<Note>` and\n\n```mdx\n<Note>x</Note>\n```",
    ],
];

describe("the text of a page for programs", () => {
    it("contains each component as Markdown", async () => {
        const files = Object.fromEntries(cases.map(([source], at) => [`p${at}.mdx`, `# P\n\n${source}\n\nEnd`]));
        await withExport(files, async ({ read }) => {
            for (const [at, [source, text]] of cases.entries()) {
                assert.equal(await read(`p${at}.md`), `# P\n\n${text}\n\nEnd\n`, source);
            }
        });
    });

    it("contains snippets with their properties, and values defined in the page", async () => {
        const files = {
            "snippets/hello.mdx": 'import Inner from "./inner.mdx"\n\nHello {who}.\n\n<Inner />\n',
            "snippets/inner.mdx": "<Note>In it</Note>\n",
            "snippets/names.mdx": 'export const fish = "Nemo"\n',
        };
        const imports = 'import Hello from "/snippets/hello.mdx"\nimport { fish } from "/snippets/names.mdx"\n\n';
        const body = `${imports}export const walrus = "Wally"\n\n<Hello who="you" />\n\n{walrus} and {fish}, {1 + 1}`;
        assert.equal(await textOf(body, files), "Hello you.\n\n> [!NOTE]\n> In it\n\nWally and Nemo, 2");
    });

    it("contains what the site's own components show", async () => {
        const files = {
            "snippets/w.jsx":
                "export const Widget = ({ href, children }) => <b>See <a href={href}>{children}</a></b>;\n",
            "b.md": "# B\n\nText.",
        };
        const body =
            'import { Widget } from "/snippets/w.jsx"\n\n<Widget href="/b">Open it</Widget>\n\nA <Widget href="https://example.com/">x</Widget>.';
        assert.equal(
            await textOf(body, files),
            "**See [Open it](https://docs.example.com/b)**\n\nA **See [x](https://example.com/)**.",
        );
    });

    it("contains images at their addresses on the site, but no data of images", async () => {
        const files = {
            "guides/a.mdx": `# A

export const Own = ({ src }) => <p><img alt="An [x]" src={src} /> <img src="data:image/png;base64,AAAA" /></p>;

<Own src="/images/x.png" />

<img alt="An [x]" src="/images/x.png" />
`,
            "images/x.png": "image",
        };
        await withExport(files, async ({ read, warnings }) => {
            const image = "![An \\[x\\]](https://docs.example.com/images/x.png)";
            assert.equal(await read("guides/a.md"), `# A\n\n${image}\n\n${image}\n`);
            assert.deepEqual(warnings, []);
        });
    });

    it("contains links to the page's top, even if another link was refused", async () => {
        const source =
            'export const Own = ({ to }) => <p><a href={to}>x</a></p>;\n\n<Own to="#" />\n\n<Own to="vbscript:go()" />';
        assert.equal(await textOf(source), "[x](#)\n\n[x](#)");
    });

    it("does not change the anchors of the page's operation", async () => {
        const operation = { summary: "Get", description: "One.\n\n## Limits\n\nTen.", responses: {} };
        const files = {
            "openapi.json": JSON.stringify({ openapi: "3.1.0", paths: { "/pets": { get: operation } } }),
            "s.mdx": '<Visibility for="agents">\n\n## Limits\n\nText.\n\n</Visibility>\n',
            "a.mdx": '---\nopenapi: GET /pets\n---\n\nimport S from "/s.mdx"\n\n<S />\n',
        };
        await withExport(files, async ({ read }) => {
            assert.match(await read("a.md"), /## Limits\n\nText\./);
            assert.match(await read("a.html"), / id="limits"/);
        });
    });

    it("contains tables and lists that code makes, and no code", async () => {
        const body = `export const rows = [["zebra", 1], ["lemur", 2]];
export const List = () => <ul>{rows.map(([name]) => <li key={name}>{name}</li>)}</ul>;

<table><thead><tr><th>Name</th><th>Count</th></tr></thead><tbody>{rows.map(([name, count]) => <tr><td>{name}</td><td>{count}</td></tr>)}</tbody></table>

<List />

{rows.map(([name]) => <p>{name}</p>)}

All: {rows.map(([name]) => name).join(", ")}.`;
        assert.equal(
            await textOf(body),
            "| Name | Count |\n| --- | --- |\n| zebra | 1 |\n| lemur | 2 |\n\n- zebra\n- lemur\n\nzebra\n\nlemur\n\nAll: zebra, lemur.",
        );
    });

    it("contains what a snippet's code shows", async () => {
        const files = { "snippets/s.mdx": "Hello {props.names.map((name) => <b>{name}</b>)}.\n" };
        const body = 'import S from "/snippets/s.mdx"\n\n<S names={["zebra"]} />';
        assert.equal(await textOf(body, files), "Hello **zebra**.");
    });

    it("contains the notes of a snippet, without links between them", async () => {
        const files = { "snippets/s.mdx": "Text.[^a]\n\n[^a]: Its note.\n" };
        const text = await textOf('import S from "/snippets/s.mdx"\n\n<S />', files);
        assert.equal(text, "Text.[1]\n\n## Footnotes\n\n1. Its note.");
    });

    it("contains formulas as they are written", async () => {
        const body = "A <Badge>new</Badge> $$\\frac{1}{2}$$ and $x^{a b}$.";
        assert.equal(await textOf(body), "A new $$\\frac{1}{2}$$ and $x^{a b}$.");
    });

    it("contains attributes that need the page's code", async () => {
        const body =
            'export const f = () => "zebra";\n\n<Card title={f()} href="/a">Text</Card>\n\n<Note title={<b>lemur</b>}>Text</Note>';
        const text = await textOf(body);
        assert.match(text, /\*\*\[zebra\]\(https:\/\/docs\.example\.com\/a\)\*\*\n\nText/);
        assert.match(text, /> \[!NOTE\]\n> \*\*.*lemur.*\*\*\n>\n> Text/);
    });

    it("contains what snippets show to agents only", async () => {
        const files = { "snippets/s.mdx": "<Warning>Hot {props.n + 1} snake_case</Warning>\n\n- a\n- b\n" };
        const body =
            'import S from "/snippets/s.mdx"\n\nexport const Own = () => <b>x</b>;\n\n<Visibility for="agents">\n  <S n={1} />\n\n  <Own /> {1 + 1}\n</Visibility>';
        assert.equal(await textOf(body, files), "> [!WARNING]\n> Hot 2 snake_case\n\n- a\n- b\n\n**x**\n\n2");
    });

    it("contains content for agents, and none for people, within snippets and the site's own components", async () => {
        const choice = '<Visibility for="agents">zebra</Visibility>\n\n<Visibility for="humans">lemur</Visibility>\n';
        const body = `import S from "/snippets/s.mdx"\n\nexport const Own = ({ children }) => <div>{children}</div>;\n\n<S />\n\n<Own>\n\n${choice}\n</Own>`;
        assert.equal(await textOf(body, { "snippets/s.mdx": choice }), "zebra\n\nzebra");
    });

    it("has a limited length even if snippets are recursive", async () => {
        const [self, other] = ["self", "other"].map(
            (name) => `import Next from "/snippets/${name}.mdx"\n\nText\n\n<Next />\n\n<Next />\n\n<Next />\n`,
        );
        const files = { "snippets/self.mdx": other ?? "", "snippets/other.mdx": self ?? "" };
        const text = await textOf('import Self from "/snippets/self.mdx"\n\nBefore\n\n<Self />\n\nAfter', files);
        assert.match(text, /^Before\n[^]*After$/);
        assert.ok(text.length < 10_000, String(text.length));
    });

    it("shows the page's own text if a tag is not closed", async () => {
        assert.match(await textOf("<Note>\n\nText and a < b\n\n**bold**"), /Text and a [^]*\*\*bold\*\*/);
    });

    it("contains the new text of a changed snippet, even in pages from the cache", async () => {
        const page = '# A\n\nimport S from "/snippets/s.mdx"\n\n<S />\n';
        await withRepeatedExports({ "a.mdx": page, "snippets/s.mdx": "One" }, async ({ sourceDir, again }) => {
            await again();
            const unchanged = await again();
            assert.ok(unchanged.kept.reusedCount > 0);
            await writeFiles(sourceDir, { "snippets/s.mdx": "Two" });
            const archivePath = join(sourceDir, "..", "changed.tar.gz");
            await again({ archivePath });
            assert.match(gunzipSync(await readFile(archivePath)).toString(), /# A\n\nTwo\n/);
        });
    });
});
