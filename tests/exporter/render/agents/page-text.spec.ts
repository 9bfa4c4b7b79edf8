import assert from "node:assert/strict";
import { components } from "../../../../exporter/src/render/components/components.js";
import { textOfComponent } from "../../../../exporter/src/render/agents/component-texts.js";
import { textForAgents } from "../../../../exporter/src/render/agents/page-text.js";
import { ModuleFiles } from "../../../../exporter/src/render/modules/module-files.js";
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
    ['<Tree>\n  <Tree.Folder name="src">\n    <Tree.File name="a" />\n  </Tree.Folder>\n</Tree>', "- src/\n  - a"],
    ['<Frame caption="Seen"><img src="/a.png" alt="A" className="x" /></Frame>', "![A](/a.png)\n\nSeen"],
    ['Use the <Tooltip tip="Interface">API</Tooltip>.', "Use the API (Interface)."],
    ['A <Badge color="red">new</Badge> one', "A new one"],
    ['<Prompt description="Do it">\nDo `it`.\n</Prompt>', "**Do it**\n\n```text\nDo `it`.\n```"],
    ['<Update label="May" description="News">\n  Text\n</Update>', "## May\n\nNews\n\nText"],
    ['<div className="x">\n\n  ## Inside\n\n</div>', "## Inside"],
    ['<a href="/b">B</a> and <kbd>Ctrl</kbd>', "[B](/b) and <kbd>Ctrl</kbd>"],
    ['<Color.Item name="Sea" value="#00f" />', "- Sea: `#00f`"],
    ['<CodeBlock language="js" filename="a.js">{"let a;"}</CodeBlock>', "```js a.js\nlet a;\n```"],
    ["- item\n\n  <Tip>\n    In a list\n  </Tip>", "- item\n\n  > [!TIP]\n  > In a list"],
    ["> <Info>Quoted</Info>", "> > [!NOTE]\n> > Quoted"],
    ["| a |\n| --- |\n| <Note>x</Note> |", "| a |\n| --- |\n| x |"],
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

    it("supports every component that pages show", () => {
        const unknown = textOfComponent("Unknown");
        const missing = [...components.keys()].filter((name) => textOfComponent(name) === unknown);
        assert.deepEqual(missing, []);
    });

    it("contains snippets with their properties, and values defined in the page", async () => {
        const files = {
            "snippets/hello.mdx": 'import Inner from "./inner.mdx"\n\nHello {who}.\n\n<Inner />\n',
            "snippets/inner.mdx": "<Note>In it</Note>\n",
            "snippets/names.mdx": 'export const fish = "Nemo"\n',
        };
        const imports = 'import Hello from "/snippets/hello.mdx"\nimport { fish } from "/snippets/names.mdx"\n\n';
        const body = `${imports}export const walrus = "Wally"\n\n<Hello who="you" />\n\n{walrus} and {fish}, {1 + 1}`;
        assert.equal(await textOf(body, files), "Hello you.\n\n> [!NOTE]\n> In it\n\nWally and Nemo, {1 + 1}");
    });

    it("contains the title, text and address of the site's own components", async () => {
        const files = { "snippets/w.jsx": "export const Widget = () => <b>x</b>;\n" };
        const body =
            'import { Widget } from "/snippets/w.jsx"\n\n<Widget href="/x">Open it</Widget>\n\n<Widget title="T" />';
        assert.equal(await textOf(body, files), "[Open it](/x)\n\nT");
    });

    it("has a limited length even if snippets are recursive", () => {
        const self = 'import Self from "/snippets/self.mdx"\n\nText\n\n<Self />\n\n<Self />\n\n<Self />\n';
        const modules = new ModuleFiles({ has: (file) => file === "snippets/self.mdx", readText: () => self });
        const text = textForAgents("a.mdx", self, {}, modules) ?? "";
        assert.ok(text.length > 100 && text.length < 10_000, String(text.length));
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
