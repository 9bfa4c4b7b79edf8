import assert from "node:assert/strict";
import { PageText, type Repair } from "../../../../exporter/src/read/markdown/page-text/page-text.js";
import { parseMdx } from "../../../../exporter/src/read/markdown/parse-page.js";
import { repairMdx } from "../../../../exporter/src/read/markdown/repair-mdx.js";

/** Repairs the text, and counts how often it is parsed. */
function repaired(text: string) {
    let parses = 0;
    const repairs: Repair[] = [];
    const parse = (page: PageText) => {
        parses += 1;
        parseMdx(page.text);
        return page.text;
    };
    try {
        parse(new PageText(text, true));
    } catch (error) {
        const report = (line: number | undefined, reason: string) => void repairs.push({ line, reason });
        return { text: repairMdx(new PageText(text, true), error, report, parse), repairs, parses };
    }
    throw new Error("the text parses");
}

const sentence = "Some text that parses.\n\n";
const slip = "Value {a b} here.\n\n";

describe("MDX that does not parse", () => {
    it("is not repaired if it is full of mistakes, and only the first mistake is reported", () => {
        const { text, parses, repairs } = repaired((sentence + slip).repeat(200));
        assert.equal(text, undefined);
        assert.ok(parses <= 8, `${parses}`);
        assert.deepEqual(
            repairs.map(({ line }) => line),
            [3],
        );
    });

    it("is repaired one mistake at a time if it contains few mistakes", () => {
        const { text, repairs } = repaired((sentence.repeat(20) + slip).repeat(12));
        assert.ok(text !== undefined);
        assert.equal(repairs.length, 12);
    });

    it("has attributes without quotes if a writer means HTML, but not in code and in quotes", () => {
        const { text, repairs } = repaired(
            'A <b id=one title="x y=2 z">bold</b>, `<b id=two>` and <img src=/a.png width=100>\n',
        );
        assert.equal(
            text,
            'A <b id="one" title="x y=2 z">bold</b>, `<b id=two>` and <img src="/a.png" width="100" />\n',
        );
        assert.deepEqual(
            repairs.map(({ reason }) => reason),
            [
                "this is HTML and not MDX: this < does not begin a tag: write \\< for text, quotes around attributes, and " +
                    "[text](address) for a link",
            ],
        );
    });
});
