import assert from "node:assert/strict";
import { parsePage } from "../../../../exporter/src/read/markdown/parse-page.js";
import { articleOf } from "../../support/one-page.js";
import { warningsOf } from "../../support/site-fixture.js";

describe("Code without an end", () => {
    const cases: [name: string, text: string, line: number | undefined][] = [
        ["a fence that is never closed", "# A\n\n```js\nlet a;\n\nText\n", 3],
        ["a fence that a shorter line does not close", "````\na\n```\n", 1],
        ["a fence that other characters do not close", "~~~\na\n```\n", 1],
        ["a second fence", "```\na\n```\n\n- ```\n  b\n", 5],
        ["a closed fence", "```\na\n```\n", undefined],
        ["a closed fence in a list", "1. A\n\n   ```js\n   a\n   ```\n\nText\n", undefined],
        ["a fence within another", "````md\n```js\na\n```\n````\n", undefined],
        ["code that ends with its list item, at a line that is not indented", "- A\n  ```\na\n  ```\n", 2],
        ["code that ends with its numbered item", "1. A\n\n   ```\n  a\n   ```\n", 3],
        ["code on the line of its list marker", "- ```\n  a\nb\n", 1],
        ["code in an item of a list on the line of another item", "1. - ~~~\n     a\nb\n", 1],
        ["code that ends with its quotation", "> ```\n> a\n\nb\n", 1],
        ["a closed fence in a quotation in a list", "- > ```\n  > a\n  > ```\n", undefined],
        ["a closed fence in a list in a quotation", "> - A\n>   ```\n>   a\n>\n>   b\n>   ```\n", undefined],
        ["a closed fence in a list that tabs indent", "-\tA\n\n\t```\n\ta\n\n    b\n\t```\n", undefined],
        ["a closed fence that is indented after a list", "- A\n\nText\n  ```\na\n  ```\n", undefined],
        ["a closed fence that is indented less than an item", "- A\n ```\na\n ```\n", undefined],
        ["a closed fence after an item with indented code", "-     a\n\n  ```\n  a\n  ```\n", undefined],
        ["quotations in code", "> ```\n> > a\n> b\n> ```\n", undefined],
        ["code in a line", "Use ```a``` here.\n\n```b``` too\n", undefined],
    ];
    for (const [name, text, line] of cases) {
        it(`begins at line ${line ?? "none"}: ${name}`, () => {
            for (const isMdx of [false, true]) {
                const reported = parsePage(text, isMdx).repairs.find(({ reason }) => /^the code that/.test(reason));
                assert.equal(reported?.line, line);
            }
        });
    }

    it("is not searched in the attributes of tags", async () => {
        const text =
            "# A\n\n<Prompt description={`\n~~~js\na\n`}>\n\nText\n\n</Prompt>\n\n<img alt='\n~~~\n' src='/b.png' />\n";
        assert.deepEqual(await warningsOf({ "a.mdx": text, "b.png": "b" }), []);
        const open = "- <Note title={`\n  ~~~\n  `}>\n\n  ```\n  a\n  ```\n  </Note>\n\n```\nb\n";
        assert.match((await warningsOf({ "a.mdx": open })).join("\n"), /^a\.mdx:10: the code that begins here/);
    });

    it("is a warning at the line where the code begins, in both kinds of pages", async () => {
        const text = "# A\n\n```js\nlet a;\n\nText\n";
        const reason =
            "the code that begins here has no end, so everything after it is code: " +
            "close it with a line of the same characters";
        for (const file of ["a.md", "a.mdx"]) {
            assert.deepEqual(await warningsOf({ [file]: text }), [`${file}:3: ${reason}`]);
        }
    });

    it("is a warning that names the line with which its list item ends", async () => {
        const reason =
            "the code that begins here ends at line 5, which is outside of its list or quotation: " +
            "indent or quote all its lines alike, and close it with a line of the same characters";
        assert.deepEqual(await warningsOf({ "a.md": "# A\n\n- Test\n  ```sh\nls\n  ```\n" }), [`a.md:4: ${reason}`]);
    });

    it("causes no warning in a comment, an export or an expression of MDX, which hide no fence after them", async () => {
        const scripts = ["{/*\n```js\n*/}", "export const a = `\n~~~\n`;", "{`\n~~~\n`}"];
        for (const script of scripts) {
            assert.deepEqual(await warningsOf({ "a.mdx": `# A\n\n${script}\n\nText\n` }), [], script);
            assert.match(
                (await warningsOf({ "a.mdx": `# A\n\n${script}\n\n\`\`\`js\n` })).join(),
                /^a\.mdx:7: the code/,
            );
        }
    });

    it("ends at a line that is indented by any number of blanks in MDX, and by at most three more in Markdown", async () => {
        const text = "<Steps>\n\n```sh\na\n    ```\n\n</Steps>\n";
        assert.deepEqual(await warningsOf({ "a.mdx": text }), []);
        assert.match(
            (await warningsOf({ "a.md": "```sh\na\n    ```\n" })).join(),
            /^a\.md:1: the code that begins here has/,
        );
    });

    it("is text again after its quotation", async () => {
        const { html, warnings } = await articleOf("> ```\n> a\n\n| a |\n| --- |\n| `x | y` |\n");
        assert.match(html, /<td><code>x \| y<\/code><\/td>/);
        assert.equal(warnings.length, 1);
    });
});
