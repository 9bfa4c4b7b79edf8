import assert from "node:assert/strict";
import fc from "fast-check";
import { TerminalReader, withoutSequences } from "../../../service/src/output/terminal-reader.js";

describe("A terminal's text", () => {
    const sequences = {
        colours: "\u001b[1;31m",
        "a movement": "\u001b[2K\u001b[1A",
        "a title": "\u001b]0;the title\u0007",
        "a link": "\u001b]8;;https://example.com\u001b\\",
        "a character set": "\u001b(B",
        "eight bits": "\u009b31m\u009d0;title\u009c",
    };
    for (const [name, sequence] of Object.entries(sequences)) {
        it(`is without ${name}`, () => {
            assert.equal(withoutSequences(`a${sequence}b`), "ab");
        });
    }

    it("contains the lines after a sequence that has no end", () => {
        assert.equal(withoutSequences("a\u001b]0;title\nb\u001b[12\nc"), "a\nb\nc");
        assert.equal(withoutSequences("a\u001b[31\u001b[1mb"), "ab");
        assert.equal(withoutSequences("a\u001b[3é"), "aé");
    });

    it("is the same if it arrives character by character", () => {
        const odd = fc.constantFrom(
            "\u001b",
            "[",
            "]",
            "1",
            ";",
            "m",
            "\u0007",
            "\\",
            "\n",
            "a",
            "é",
            "\u009b",
            "😀",
            "\u202e",
        );
        fc.assert(
            fc.property(fc.string({ unit: odd, maxLength: 30 }), (text) => {
                const parts: string[] = [];
                const add = (part: string) => parts.push(part);
                const reader = new TerminalReader({ show: add, endLine: add, hide: add });
                text.split("").forEach((character) => reader.read(character));
                assert.equal(parts.join(""), withoutSequences(text));
            }),
            { numRuns: 1000 },
        );
    });

    it("changes its style only by complete and short sequences", () => {
        const styles: string[] = [];
        const nothing = () => undefined;
        const reader = new TerminalReader({ show: nothing, endLine: nothing, style: (codes) => styles.push(codes) });
        reader.read(`\u001b[1;31ma\u001b[mb\u001b[?25hc\u001b[${"1;".repeat(99)}md\u001b[3`);
        reader.read("2m");
        assert.deepEqual(styles, ["1;31", "", "32"]);
    });
});
