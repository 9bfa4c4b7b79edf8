import assert from "node:assert/strict";
import { moveClosingTags } from "../../../../exporter/src/read/markdown/closing-tags.js";
import { PageText } from "../../../../exporter/src/read/markdown/page-text/page-text.js";
import { articleOf } from "../../support/one-page.js";

const moved = (...lines: string[]) => moveClosingTags(new PageText(lines.join("\n"), true)).text.split("\n");

describe("A closing tag that is indented after a list", () => {
    it("moves out of the list", () => {
        assert.deepEqual(moved("<Note>", "Run it.", "", "- id", "  </Note>"), [
            "<Note>",
            "Run it.",
            "",
            "- id",
            "</Note>",
        ]);
    });

    it("stays inside an outer list", () => {
        assert.deepEqual(moved("- <Note>", "", "  1. id", "     </Note>").at(-1), "  </Note>");
    });

    it("moves out of a quote and out of nested lists", () => {
        assert.equal(moved("<Note>", "> - a", ">   - b", ">     </Note>").at(-1), "</Note>");
    });

    it("moves with the closing tags after it", () => {
        assert.equal(moved("<Tabs>", "<Tab>", "", "- a", "  </Tab></Tabs>").at(-1), "</Tab></Tabs>");
    });

    it("moves after a list item that begins with fenced code", () => {
        assert.equal(moved("<Note>", "- ```", "  code", "  ```", "  </Note>").at(-1), "</Note>");
    });

    it("stays where it is if its opening tag belongs to the same item", () => {
        const lines = ["- text", "", "  <Note>", "  text", "  </Note>"];
        assert.deepEqual(moved(...lines), lines);
    });

    it("stays where it is if no list is in front of it, or in fenced code", () => {
        for (const lines of [
            ["- a", "", "text", "", "<Tabs>", "  <Tab>", "    text", "  </Tab>", "</Tabs>"],
            ["<Note>", "- a", "", "```", "  </Note>", "```", "</Note>"],
        ]) {
            assert.deepEqual(moved(...lines), lines);
        }
    });

    it("is a mistake with its place if text is in front of it", () => {
        assert.throws(() => moved("<Note>", "", "- id", "", "  text</Note>"), /^Error: 5:7: Expected the closing tag/);
    });

    it("ends its component on the page, and the page stays whole", async () => {
        const { html, warnings } = await articleOf(
            "<Tabs>\n  <Tab title='Linux'>\n    Open it.\n\n- one\n- two\n  </Tab>\n</Tabs>\n\nafter\n",
        );
        assert.match(html, /Linux[^]*Open it\.[^]*<li>one<\/li>\s*<li>two<\/li>[^]*<p>after<\/p>/);
        assert.deepEqual(warnings, []);
    });
});
