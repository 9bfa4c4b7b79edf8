import assert from "node:assert/strict";
import { lineOfOpenFence } from "../../../../exporter/src/read/markdown/fences.js";
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
        ["code in a line", "Use ```a``` here.\n\n```b``` too\n", undefined],
    ];
    for (const [name, text, line] of cases) {
        it(`begins at line ${line ?? "none"}: ${name}`, () => assert.equal(lineOfOpenFence(text), line));
    }

    it("is a warning at the line where the code begins, in both kinds of pages", async () => {
        const text = "# A\n\n```js\nlet a;\n\nText\n";
        const reason =
            "the code that begins here has no end, so everything after it is code: " +
            "close it with a line of the same characters";
        for (const file of ["a.md", "a.mdx"]) {
            assert.deepEqual(await warningsOf({ [file]: text }), [`${file}:3: ${reason}`]);
        }
    });
});
