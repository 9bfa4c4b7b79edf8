import assert from "node:assert/strict";
import fc from "fast-check";
import { listOfGroup, Postings } from "../../../../exporter/src/write/search/postings.js";
import { getOrMake } from "../../../../exporter/src/text/get-or-make.js";
import { chunksOf } from "../../../../exporter/src/text/chunks.js";
import { mergeTerms, type RecordedSearch } from "../../../../exporter/src/write/search/site-search.js";
import { TermIndex } from "../../../../exporter/src/write/search/term-index.js";

const termOfNumber = (number: number) => `${"longword".repeat(3)}${String(number).padStart(5, "0")}`;
const passagesBeforeText = " ".repeat(5);

/** Adds terms to an index in several groups, and returns the expected lines with the length of the added lines. */
function addGroups(index: TermIndex, groupCount: number): { expected: string[]; length: number } {
    const all = new Map<string, { readonly postings: Postings; count: number }>();
    let length = 0;
    for (let group = 0; group < groupCount; group++) {
        const list = listOfGroup(group, [0, 65_536]);
        const terms = Array.from({ length: 1200 }, (_, number) => number)
            .filter((number) => (number + group) % 3 !== 0)
            .map(termOfNumber);
        const lines = terms.map((term) => `${term}${passagesBeforeText}${list}`).join("\n");
        length += lines.length;
        index.add({ passageCount: 2, lines });
        for (const term of terms) {
            const entry = getOrMake(all, term, () => ({ postings: new Postings(), count: 0 }));
            entry.count += entry.postings.add(list);
        }
    }
    const expected = [...all].map(([term, { postings, count }]) => {
        const total = count > postings.listed ? `*${count}` : "";
        return `${term}${total}${passagesBeforeText}${postings.text}`;
    });
    return { expected: expected.sort(), length };
}

describe("the index of all terms", () => {
    it("lists each term once, in order, even if it merges the terms of the groups in several parts", () => {
        const index = new TermIndex();
        const { expected, length } = addGroups(index, 400);
        assert.ok(length > 10_000_000, "the lines fit into one part");
        assert.deepEqual([...index.takeLines()], expected);
        assert.deepEqual([...index.takeLines()], []);
    });

    it("lists the same passages, and counts all passages, if it merges terms before the last group was added", () => {
        const index = new TermIndex();
        const { expected, length } = addGroups(index, 800);
        assert.ok(length > 20_000_000, "the terms are not merged early");
        assert.deepEqual([...index.takeLines()], expected);
    });

    it("has the same lines if groups are merged in blocks, and blocks in larger ones", () => {
        const passages = fc
            .uniqueArray(fc.nat(31), { size: "max", maxLength: 32 })
            .map((all) => all.sort((a, b) => a - b));
        const termsOfGroup = fc.dictionary(
            fc.constantFrom("and", "bee", "cat"),
            fc.tuple(passages, passages, passages),
        );
        const groups = fc.array(termsOfGroup, { minLength: 60, maxLength: 90 });
        fc.assert(
            fc.property(groups, fc.integer({ min: 2, max: 16 }), (all, size) => {
                const recorded = all.map((terms, group): RecordedSearch => {
                    const lines = Object.entries(terms).map(([term, lists]) => {
                        const pages = lists.map((pages) => pages.map((page) => (group * 32 + page) * 65_536));
                        return `${term} ${pages.map((ofRank) => listOfGroup(group, ofRank)).join(" ")}`.trimEnd();
                    });
                    return [[0, { passageCount: 32, lines: lines.sort().join("\n"), versions: [[group, "abc"]] }]];
                });
                const merge = (searches: readonly RecordedSearch[]) => chunksOf(searches, size).map(mergeTerms);
                assert.deepEqual(mergeTerms(merge(merge(recorded))), mergeTerms(recorded));
            }),
            { numRuns: 30 },
        );
    });

    it("lists the groups of a term in order, even if they are added in another order", () => {
        const lineOf = (groups: readonly number[]) => {
            const index = new TermIndex();
            groups.forEach((group) => index.add({ passageCount: 1, lines: `term ${listOfGroup(group, [0])}` }));
            return [...index.takeLines()];
        };
        assert.deepEqual(lineOf([70, 2, 40, 3, 100]), lineOf([2, 3, 40, 70, 100]));
    });
});
