import assert from "node:assert/strict";
import { exportPage, warningsOf } from "../../support/site-fixture.js";

const missingLine = "there must be an empty line between an import or export and the text below it";

describe("Text directly below an import or export", () => {
    const cases: [name: string, page: string, shown: RegExp, line: number][] = [
        ["a sentence", "export const a = 1\nIs {a}.\n\nEnd {a}\n", /<p>Is 1\.<\/p>\s*<p>End 1<\/p>/, 2],
        ["a sentence of one word", "export const a = 1;\nWord\n", /<p>Word<\/p>/, 2],
        ["a heading", "export const a = 1\n## Title\n", /<h2 id="title">Title/, 2],
        ["an own component", "export const B = () => <b>in B</b>\n<B/>\n", /<b>in B<\/b>/, 2],
        ["a component", "export const a = 1;\n<Note>Text {a}</Note>\n", /Text 1/, 2],
        ["an expression", "export const a = 1;\n{a + 1}\n", /2/, 2],
        ["a label", "export const a = 1;\nNote: text\n", /<p>Note: text<\/p>/, 2],
        ["a list", "export const a = [\n  1,\n]\nexport const b = 2\n- item {a[0] + b}\n", /<li>item 3<\/li>/, 5],
        ["code", "export const a = 1\n```js\nexport x\n```\n", /language-js">/, 2],
    ];
    for (const [name, page, shown, line] of cases) {
        it(`is shown: ${name}`, async () => {
            assert.match(await exportPage("a.mdx", page), shown);
            assert.deepEqual(await warningsOf({ "a.mdx": page }), [`a.mdx:${line}: ${missingLine}`]);
        });
    }

    it("is shown with what the import above it names, and warnings have their lines", async () => {
        const site = {
            "a.mdx": '---\ntitle: A\n---\nimport My from "/snippets/my.mdx"\nText.\n\n<My/> {missing}\n',
            "snippets/my.mdx": "Content.\n",
        };
        assert.deepEqual(await warningsOf(site), [
            `a.mdx:5: ${missingLine}`,
            "a.mdx:7: {missing} is shown as it is written, because missing has no value here: write \\{missing} " +
                "if that is intended",
        ]);
    });

    it("is a whole paragraph that begins like JavaScript", async () => {
        const page = "import goods from abroad\n\nexport them now,\nimport more\n";
        assert.match(
            await exportPage("a.mdx", page),
            /<p>import goods from abroad<\/p>\s*<p>export them now,\nimport more<\/p>/,
        );
    });

    it("is not code that has a mistake", async () => {
        for (const page of ["export const a = {\n\nText\n", 'import A from "/a.mdx"\nexport const b = (\n\nText\n']) {
            assert.match((await warningsOf({ "a.mdx": page })).join("\n"), /it does not parse/);
        }
    });
});
