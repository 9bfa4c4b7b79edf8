import assert from "node:assert/strict";
import { joinLines, trimSlashes, trimTrailing, withoutQuery } from "../../../contract/src/index.js";

describe("A text", () => {
    it("loses only the given characters at its end", () => {
        assert.equal(trimTrailing("//a/b//", "/"), "//a/b");
        assert.equal(trimTrailing("a. -.", ".-"), "a. ");
        assert.equal(trimTrailing("///", "/"), "");
    });

    it("loses the slashes at both ends", () => {
        assert.equal(trimSlashes("//a//b//"), "a//b");
        assert.equal(trimSlashes("//"), "");
    });

    it("loses its query and anchor", () => {
        assert.equal(withoutQuery("/a?b#c"), "/a");
        assert.equal(withoutQuery("/a#b?c\nd"), "/a");
        assert.equal(withoutQuery("/a"), "/a");
    });

    it("keeps white space that does not break a line", () => {
        assert.equal(joinLines("a  b \n\n\tc\r\nd"), "a  b c d");
    });
});
