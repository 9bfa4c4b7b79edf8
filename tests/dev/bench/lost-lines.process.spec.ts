import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findLostLines, type LineReport, type PlacedWarning } from "../../../dev/bench/foreign/lost-lines.js";
import { withFolder } from "../../sdk/support/files.js";

/** `npm run bench foreign` runs this check on the sites that it exports. */
describe("the list of source lines that are missing from an export", () => {
    /** @param article the text of the exported page of `a.mdx`, as a browser shows it */
    async function reportOf(
        article: string | readonly string[],
        source: string | Record<string, string>,
        warnings: readonly PlacedWarning[] = [],
    ): Promise<LineReport> {
        const files = typeof source === "string" ? { "a.mdx": source } : source;
        const shown = new Map([["a.html", ["a – Site", ...[article].flat()]]]);
        let report: LineReport | undefined;
        await withFolder(async (folder) => {
            for (const [name, content] of Object.entries(files)) {
                await mkdir(dirname(join(folder, name)), { recursive: true });
                await writeFile(join(folder, name), content);
            }
            report = await findLostLines(shown, folder, warnings);
        });
        assert.ok(report !== undefined);
        return report;
    }

    const lostOf = async (...given: Parameters<typeof reportOf>) =>
        (await reportOf(...given)).lost.map(({ line, text }) => `${line} ${text}`);

    it("is empty if the page contains the words, regardless of the markup around the words", async () => {
        const source =
            "---\ntitle: First page\ndescription: What it *says*\n---\n" +
            "## Head\n\n- one **bold** [link](https://a.example/x_(y) 'hint') &amp; `code`\n" +
            "| a | b |\n| --- | --- |\n\n> [!NOTE] Said\n\n" +
            '<Card title="On a card" icon="rocket" href="/x">\n  Inside\n</Card>\n\n![Picture](a.png)\n' +
            '```js title="code.js" {1}\nif (a) { b } // [!code ++]\n```\n{/* hidden */}\n<!-- hidden -->\n';
        const article = [
            "First page What it says Head one bold link & code a b Said On a card Inside code.js if (a) { b }",
            "Picture",
        ];
        assert.deepEqual(await reportOf(article, source), { lines: 11, lost: [] });
    });

    it("contains lines with a missing word in text, cells, code, or titles of components or the page", async () => {
        const source =
            "---\ntitle: Title\n---\nText here\n\n| cell |\n| --- |\n\n" +
            '<Card title="On a card"\n  description="About it" />\n\n```js\nlet x;\n```\n';
        assert.deepEqual(await lostOf("Text there", source), [
            "2 Title",
            "4 Text here",
            "6 | cell |",
            "9 On a card",
            "10 About it",
            "13 let x;",
        ]);
    });

    it("ignores an unterminated code span in an item or row, and a number after a dash", async () => {
        const source =
            "- one `code\n- two [link](https://a.example) `code`\n\n| `` | a |\n| `` | b |\n\n- 4. four\n\n```java showLineNumbers\nx\n```\n";
        assert.deepEqual(await lostOf("one `code two link code a b four x", source), []);
    });

    it("excludes a line if a warning names the line or the tag around it", async () => {
        const source = 'Text\n\n<Card\n  title="On a card"\n/>\n\nMore';
        const warning = { kind: "attribute", file: "a.mdx", line: 3, reason: "title in <Card> is left out" };
        assert.deepEqual(await lostOf("Text", source, [warning]), ["7 More"]);
        assert.deepEqual(await lostOf("Text", source, [{ ...warning, kind: "link" }]), ["4 On a card", "7 More"]);
        assert.deepEqual(await lostOf("Text", source, [{ ...warning, file: "b.mdx" }]), ["4 On a card", "7 More"]);
    });

    it("includes the lines of a snippet on each page that uses the snippet", async () => {
        const page = 'import Part from "/snippets/part.mdx";\n\nText\n\n<Part />';
        const files = { "a.mdx": page, "snippets/part.mdx": "Shown\n\nMissing" };
        const { lines, lost } = await reportOf("Text Shown", files);
        assert.equal(lines, 3);
        assert.deepEqual(lost, [{ page: "a.mdx", file: "snippets/part.mdx", line: 3, text: "Missing" }]);
        assert.deepEqual(await lostOf("Text", { ...files, "a.mdx": page.replace("<Part />", "") }), []);
    });

    it("includes the lines of components that a page defines and uses", async () => {
        const source = "export const Box = () => (\n  <div>\n    <b>Shown</b> Missing\n  </div>\n);\n\n<Box />";
        assert.deepEqual(await lostOf("Shown", source), ["3 Missing"]);
        const warning = { kind: "expression", file: "a.mdx", line: 7, reason: "<Box> is left out" };
        assert.deepEqual(await lostOf("Shown", source, [warning]), []);
        assert.deepEqual(await lostOf("", source.replace("<Box />", "")), []);
    });

    it("excludes text that is only for agents, and files that are not pages", async () => {
        const source = 'Text\n\n<Visibility for="agents">\n  Do this\n</Visibility>';
        assert.deepEqual(await reportOf("Text", { "a.mdx": source, "b.mdx": "Draft" }), { lines: 1, lost: [] });
    });
});
