import assert from "node:assert/strict";
import fc from "fast-check";
import { eachWord } from "../../../contract/src/search/word-places.js";
import { excerptOf, termsOf, wordPattern } from "../../../contract/src/search/index.js";

interface FoundWord {
    readonly word: string;
    readonly isPlain: boolean;
}

function wordsIn(text: string): FoundWord[] {
    const words: FoundWord[] = [];
    eachWord(text, (from, to, isPlain) => words.push({ word: text.slice(from, to), isPlain }));
    return words;
}

const textOf = (words: readonly FoundWord[]): string[] => words.map(({ word }) => word);

/** Strings of letters, marks, digits, punctuation, emoji and lone surrogates, many of them adjacent. */
const texts = fc
    .array(
        fc.oneof(
            fc.constantFrom(
                "exportSite",
                "HTTP2",
                "Ünder",
                "e\u0301",
                "日本語",
                "𝒜𝒷",
                "👍🏽",
                "\ud83d",
                "\udc4d",
                " ",
                "-",
                "a-b",
                "x\u2011y",
                "so\u00adft",
                "'",
            ),
            fc.string({ unit: "binary", maxLength: 4 }),
        ),
        { maxLength: 12 },
    )
    .map((parts) => parts.join(""));

describe("The words in text", () => {
    it("are the matches of the word pattern", () => {
        fc.assert(
            fc.property(texts, (text) => {
                assert.deepEqual(textOf(wordsIn(text)), text.match(wordPattern) ?? []);
            }),
        );
    });

    it("are plain only if the search indexes just the lower-case word", () => {
        assert.deepEqual(wordsIn("Walrus exportSite HTTP2 Ünder"), [
            { word: "Walrus", isPlain: true },
            { word: "exportSite", isPlain: false },
            { word: "HTTP2", isPlain: true },
            { word: "Ünder", isPlain: false },
        ]);
        fc.assert(
            fc.property(texts, (text) => {
                for (const { word } of wordsIn(text).filter(({ isPlain }) => isPlain)) {
                    assert.deepEqual(termsOf(word), [
                        { term: word.toLowerCase().slice(0, 32), from: 0, to: word.length },
                    ]);
                }
            }),
        );
    });

    it("let an excerpt start at the first match, even if the match is part of a name", () => {
        const text = `${"one two ".repeat(20)}and 👍 exportSite, then a site again`;
        assert.equal(excerptOf(text, new Set(["site"]), { before: 10, length: 15 }), "…👍 exportSite, …");
    });
});
