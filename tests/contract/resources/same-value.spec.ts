import assert from "node:assert/strict";
import { digestAssets, isSameValue, markKey, marks } from "@pulumi-static-export/contract";
import { exportKeyOf } from "../../../provider/src/static-export-bundle/model.js";

/**
 * Returns a file in the engine's form: with a path if it comes from the program, and without a path if it comes from
 * the state.
 */
const asset = (hash: string, source: object = {}) => ({ [markKey]: marks.asset, hash, ...source });
const archive = (hash: string, source: object = {}) => ({ [markKey]: marks.archive, hash, ...source });

describe("the comparison of inputs", () => {
    for (const [kind, source] of Object.entries({
        file: { path: "./t.txt" },
        text: { text: "one" },
        remote: { uri: "https://example.com/t.txt" },
    })) {
        it(`considers a ${kind} asset in the program equal to the same asset in the state`, () => {
            assert.equal(isSameValue(asset("a1", source), asset("a1")), true);
            assert.equal(isSameValue(asset("a1", source), asset("b2")), false);
        });
    }

    it("considers a folder equal to the same folder in the state, but not to a file with that digest", () => {
        assert.equal(isSameValue(archive("a1", { path: "./pages" }), archive("a1")), true);
        assert.equal(isSameValue(archive("a1", { path: "./pages" }), asset("a1")), false);
        assert.equal(isSameValue(archive("a1", { assets: { a: asset("c3", { path: "a" }) } }), archive("a1")), true);
    });

    it("covers the members of lists and objects, and other values as a whole", () => {
        const given = { list: [asset("a1", { path: "x" }), 1], path: "x" };
        assert.equal(isSameValue(given, { list: [asset("a1"), 1], path: "x" }), true);
        assert.equal(isSameValue(given, { list: [asset("a1"), 1], path: "y" }), false);
        assert.equal(isSameValue(given, { list: [asset("a1"), 2], path: "x" }), false);
    });

    it("uses the source of assets that have no digest", () => {
        assert.equal(isSameValue(asset("", { path: "x" }), asset("", { path: "y" })), false);
    });

    it("derives the same key for the same file on two machines", () => {
        const keyOn = (path: string) => exportKeyOf({ domain: "d.example.com", triggers: [asset("a1", { path })] });
        assert.deepEqual(keyOn("/home/a/t.txt"), keyOn("/builds/b/t.txt"));
        assert.deepEqual(digestAssets(undefined), undefined);
    });
});
