import assert from "node:assert/strict";
import { Postings, textOfGroup } from "../../../../exporter/src/write/search/postings.js";
import { TermIndex } from "../../../../exporter/src/write/search/term-index.js";

const termOfNumber = (number: number) => `${"longword".repeat(3)}${String(number).padStart(5, "0")}`;
const ranksBeforeText = " ".repeat(5);

describe("the index of all terms", () => {
    it("lists each term once, in order, even if it merges the terms of the groups in several parts", () => {
        const passages = textOfGroup([0]);
        const index = new TermIndex();
        const expected = new Map<string, Postings>();
        let length = 0;
        for (let group = 0; group < 400; group++) {
            const terms = Array.from({ length: 1200 }, (_, number) => number)
                .filter((number) => (number + group) % 3 !== 0)
                .map(termOfNumber);
            for (const term of terms) {
                const postings = expected.get(term) ?? new Postings();
                postings.add(group, passages);
                expected.set(term, postings);
            }
            const lines = terms.map((term) => `${term}${ranksBeforeText}${passages}`).join("\n");
            length += lines.length;
            index.add({ group, passageCount: 1, lines });
        }
        assert.ok(length > 10_000_000, "the lines fit into one part");
        assert.deepEqual(
            [...index.takeLines()],
            [...expected].map(([term, { text }]) => `${term}${ranksBeforeText}${text}`).sort(),
        );
    });
});
