import assert from "node:assert/strict";
import { checkLinkTarget, isEntryPath, quoteName } from "../../../sdk/src/bundle/entry-path.js";

describe("The name of an entry", () => {
    it("is shown without control characters, and shortened after 120 characters", () => {
        assert.equal(quoteName("a\nb\u202e"), '"a?b?"');
        assert.equal(quoteName("a".repeat(120)), `"${"a".repeat(120)}"`);
        assert.equal(quoteName("a".repeat(121)), `"${"a".repeat(120)}…"`);
    });

    for (const [name, isPath] of [
        ["guides/start.html", true],
        ["", false],
        ["./start.html", false],
        ["guides//start.html", false],
        ["guides/", false],
        ["../start.html", false],
        ["C:/start.html", false],
    ] as const) {
        it(`is ${isPath ? "" : "not "}a path of the bundle: '${name}'`, () => assert.equal(isEntryPath(name), isPath));
    }
});

describe("The target of a link", () => {
    for (const [from, target, path] of [
        [[], "a.html", ["a.html"]],
        [["docs", "v1"], "../v2/./a.html", ["docs", "v2", "a.html"]],
        [["docs"], "..//a.html", ["a.html"]],
        [["docs"], "..", []],
    ] as const) {
        it(`is relative to its folder: ${target} in /${from.join("/")}`, () => {
            assert.deepEqual(checkLinkTarget("link", from, target), path);
        });
    }

    for (const [target, says] of [
        ["../../a.html", /leaves the folder/],
        ["", /leads nowhere/],
        ["/a.html", /has an absolute path/],
    ] as const) {
        it(`is refused: '${target}'`, () => assert.throws(() => checkLinkTarget("link", ["docs"], target), says));
    }
});
