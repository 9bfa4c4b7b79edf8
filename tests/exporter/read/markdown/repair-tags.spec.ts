import assert from "node:assert/strict";
import { PageText } from "../../../../exporter/src/read/markdown/page-text/page-text.js";
import { repairTag } from "../../../../exporter/src/read/markdown/repair-tags.js";
import { articleOf } from "../../support/one-page.js";

/** The article of a page without its header, and the warnings. */
async function shown(page: string): Promise<{ html: string; warnings: string[] }> {
    const { html, warnings } = await articleOf(page);
    return { html: html.replace(/^<header[^]*?<\/header>\n/, ""), warnings };
}

describe("A tag without an end", () => {
    it("takes neither the title nor the link of the component around it", async () => {
        const { html, warnings } = await shown(
            "<Card title='Read' href='https://a.example'> <Icon icon='flag'> text </Card>\n",
        );
        assert.match(html, /<p class="card-title"><a href="https:\/\/a\.example"[^>]*>Read<\/a><\/p>.*text/s);
        assert.deepEqual(warnings, [
            "a.mdx:1: <Icon> has no closing tag, so it ends directly after its tag: write <Icon />",
        ]);
    });

    it("ends before the closing tag of the component around it", async () => {
        const { html, warnings } = await shown(
            "<Tabs>\n<Tab title='Linux'>\n  <Warning>\n  Open it.\n</Tab>\n</Tabs>\n",
        );
        assert.match(
            html,
            /<p class="tab-title">Linux<\/p><div class="callout warning".*<p>Open it\.<\/p><\/div><\/section>/s,
        );
        assert.deepEqual(warnings, [
            "a.mdx:3: <Warning> has no closing tag, so it ends before </Tab>: write </Warning> after its content",
        ]);
    });

    it("ends with its line if nothing is around it", async () => {
        const { html } = await shown("- a <b>bold\n- <a href='https://a.example'>link\n\nend <Note>x</Note>\n");
        assert.match(html, /<li>a <b>bold<\/b><\/li>\n<li>\n?<a href="https:\/\/a\.example"[^>]*>link<\/a>\n?<\/li>/);
    });

    it("keeps the title of a component, and shows what follows", async () => {
        const { html } = await shown("<Accordion title='How'>\n\nlast\n");
        assert.match(html, /<summary>How<\/summary>.*<p>last<\/p>/s);
    });
});

describe("A placeholder in a sentence", () => {
    for (const [page, text] of [
        ["Use <your-key> here. <Note>x</Note>\n", "Use &lt;your-key&gt; here."],
        ["Open <path> first. <Note>x</Note>\n", "Open &lt;path&gt; first."],
        ["Returns Promise<User> now.\n", "Returns Promise&lt;User&gt; now."],
        ["A Map<string, List<int>> here.\n", "A Map&lt;string, List&lt;int&gt;&gt; here."],
        ["# Set <token> first\n\n<Note>x</Note>\n", "Set &lt;token&gt; first"],
        ["| a |\n|---|\n| <key> |\n\n<Note>x</Note>\n", "<td>&lt;key&gt;</td>"],
        ["<Note title='Before'>\nUse <your-key> here.\n</Note>\n", "Before"],
        ["Close it with </your-tag> then.\n", "Close it with &lt;/your-tag&gt; then."],
    ] as const) {
        it(`is shown: ${page.split("\n", 1)[0]}`, async () => {
            const { html } = await shown(page);
            assert.ok(html.includes(text), html);
        });
    }

    it("is reported with what to write", async () => {
        const { warnings } = await shown("Use <your-key> here. <Note>x</Note>\n");
        assert.deepEqual(warnings, [
            "a.mdx:1: <your-key> is shown as text, because it is not a tag: write \\<your-key>",
        ]);
    });

    it("is a component if the page imports it", () => {
        const error = {
            line: 3,
            column: 3,
            reason: "Expected a closing tag for `<User>` (3:3) before the end of `paragraph`",
        };
        const source = 'import User from "/user.mdx";\n\na <User> b\n';
        const edits = repairTag(source, error)?.edits ?? [];
        assert.equal(new PageText(source, true).edited(edits).text.split("\n")[2], "a <User> b</User>");
    });
});

describe("A closing tag in the wrong place", () => {
    it("moves to the next line if it follows the text of a list item", async () => {
        const { html, warnings } = await shown("<Note>\n\n- id text</Note>\n\nafter\n");
        assert.match(html, /<ul>\n<li>id text<\/li>\n<\/ul><\/div>\n<p>after<\/p>/);
        assert.deepEqual(warnings, [
            "a.mdx:3: </Note> is in a paragraph, list or quote that began after <Note>: write it on the next line",
        ]);
    });

    it("is left out if nothing was opened", async () => {
        const { html, warnings } = await shown("text </Note> more\n");
        assert.equal(html, "<p>text  more</p>");
        assert.deepEqual(warnings, ["a.mdx:1: </Note> has no opening tag, so it is left out"]);
    });
});
