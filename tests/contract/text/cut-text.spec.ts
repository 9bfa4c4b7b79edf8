import assert from "node:assert/strict";
import fc from "fast-check";
import { beginningOf, cutPlace, endOf } from "../../../contract/src/index.js";

const family = "👨‍👩‍👧‍👦";
const flag = "🇩🇪";
const accent = "e\u0301";

describe("A text that is too long", () => {
    it("is cut before an emoji, a flag or a letter with accents instead of inside it", () => {
        for (const grapheme of [family, flag, accent, "😀", "\r\n", "🏳️‍🌈"]) {
            const text = `ab${grapheme}cd`;
            for (let at = 2; at < 2 + grapheme.length; at += 1) {
                assert.equal(beginningOf(text, at), "ab", `${JSON.stringify(grapheme)} at ${at}`);
            }
            assert.equal(beginningOf(text, 2 + grapheme.length), `ab${grapheme}`);
            for (let length = 2; length < 2 + grapheme.length; length += 1) {
                assert.equal(endOf(text, length), "cd", `${JSON.stringify(grapheme)} with ${length}`);
            }
            assert.equal(endOf(text, 2 + grapheme.length), `${grapheme}cd`);
        }
    });

    it("stays as it is if it is short enough", () => {
        assert.equal(beginningOf(family, family.length), family);
        assert.equal(endOf(family, 100), family);
        assert.equal(beginningOf("", 5), "");
        assert.equal(beginningOf("abc", 0), "");
        assert.equal(cutPlace("abc", -5), 0);
    });

    it("is cut even if it is one endless grapheme, so that reading it part by part ends", () => {
        const endless = `a${"\u0301".repeat(5000)}`;
        assert.equal(beginningOf(endless, 1000).length, 1000);
        assert.equal(beginningOf("😀", 1), "😀");
        assert.equal(endOf(endless, 1000).length, 1000);
    });

    it("has no half of a surrogate pair at any place", () => {
        const texts = fc.string({ unit: fc.constantFrom("a", " ", "😀", family, flag, accent, "字"), maxLength: 60 });
        fc.assert(
            fc.property(texts, fc.nat(200), (text, at) => {
                const place = cutPlace(text, at);
                assert.ok(beginningOf(text, at).isWellFormed() && text.slice(place).isWellFormed());
                assert.ok(endOf(text, at).isWellFormed() && endOf(text, at).length <= at);
                assert.ok(place <= Math.max(at, at > 0 ? 2 : 0) && (at === 0 || text === "" || place > 0));
                assert.equal(cutPlace(text, place), place);
            }),
        );
    });
});
