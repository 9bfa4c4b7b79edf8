import assert from "node:assert/strict";
import { withExport, type Files } from "../../support/site-fixture.js";

/** Returns the labels in the sidebar, and the warnings. */
async function sidebarOf(files: Files): Promise<{ texts: string[]; warnings: string[] }> {
    let found: { texts: string[]; warnings: string[] } = { texts: [], warnings: [] };
    await withExport({ "index.md": "# Home", ...files }, async ({ read, warnings }) => {
        const [sidebar = ""] = /<nav class="sidebar"[^]*?<\/nav>/.exec(await read("index.html")) ?? [];
        const texts = [...sidebar.matchAll(/>([^<>]+)</g)].map(([, text = ""]) => text);
        found = { texts, warnings: warnings.map(({ file, reason }) => `${file}: ${reason}`) };
    });
    return found;
}

const page = (frontMatter: string) => `---\n${frontMatter}\n---\n\nText\n`;

describe("the navigation of another builder's folder", () => {
    it("uses the order and names in Docusaurus' pages and _category_.json", async () => {
        const { texts } = await sidebarOf({
            "a.md": page("sidebar_position: 3\ntitle: A"),
            "b.md": page("sidebar_position: 1\ntitle: A long title\nsidebar_label: B"),
            "guides/_category_.json": JSON.stringify({ label: "How to", position: 2 }),
            "guides/z.md": page("sidebar_position: 1\ntitle: Z"),
            "guides/y.md": page("title: Y"),
            "more/_category_.yml": "label: More of it\n",
            "more/x.md": page("title: X"),
        });
        assert.deepEqual(texts, ["Home", "B", "How to", "Z", "Y", "A", "More of it", "X"]);
    });

    it("uses the order in Fumadocs' meta.json and Nextra's _meta.json", async () => {
        const { texts } = await sidebarOf({
            "meta.json": JSON.stringify({ pages: ["index", "---Start---", "setup", "guides", "...api", "faq"] }),
            "setup.mdx": page("title: Setup"),
            "faq.mdx": page("title: FAQ"),
            "api/one.mdx": page("title: One"),
            "guides/_meta.json": JSON.stringify({ b: "B", a: { title: "A" } }),
            "guides/a.mdx": page("title: A"),
            "guides/b.mdx": page("title: B"),
        });
        assert.deepEqual(texts, ["Home", "Setup", "Guides", "B", "A", "Api", "One", "FAQ"]);
    });

    it("uses the order and titles in Nextra's scripts if the scripts contain only literals", async () => {
        const { texts, warnings } = await sidebarOf({
            "_meta.ts":
                'import type { MetaRecord } from "nextra"\n\nexport default { z: "All of Z", a: { title: "A!" } } satisfies MetaRecord',
            "a/_meta.js": "const meta = { two: 'Two', one: 'One' }\nexport default meta",
            "a/one.mdx": page("title: One"),
            "a/two.mdx": page("title: Two"),
            "z/three.mdx": page("title: Three"),
        });
        assert.deepEqual(texts, ["All of Z", "Three", "A!", "Two", "One", "Home"]);
        assert.deepEqual(warnings, []);
        const code = await sidebarOf({ "_meta.js": "export default { a: titleOf('a') }", "a/x.md": page("title: X") });
        assert.deepEqual(code.warnings, [
            "_meta.js: the folder's settings cannot be read: the value is not an object of literals",
        ]);
    });

    it("reports an unreadable file, and sorts by name instead", async () => {
        const { texts, warnings } = await sidebarOf({ "g/_category_.json": "{", "g/a.md": page("title: A") });
        assert.deepEqual(texts, ["Home", "G", "A"]);
        assert.match(warnings.join("\n"), /^g\/_category_\.json: the folder's settings cannot be read: /);
    });

    it("includes even pages that the builder's files do not list", async () => {
        const { texts } = await sidebarOf({ "meta.json": '{"pages": ["gone"]}', "a.md": page("title: A") });
        assert.deepEqual(texts, ["Home", "A"]);
    });
});
