import assert from "node:assert/strict";
import { type NameFault, readEntryName } from "@pulumi-static-export/contract";

describe("readEntryName", () => {
    const refused: [string, NameFault][] = [
        ["a\0b", "control-character"],
        ["a\nb", "control-character"],
        ["a\ud800b", "broken-character"],
        ["a\\b", "backslash"],
        ["/a", "absolute"],
        ["C:/a", "drive"],
        ["c:a", "drive"],
        ["..", "dots"],
        ["a/../b", "dots"],
        ["d/".repeat(64) + "a", "too-deep"],
        ["x".repeat(256), "long-part"],
        ["é".repeat(128), "long-part"],
        [`${"x".repeat(250)}/`.repeat(8) + "x".repeat(50), "too-long"],
    ];
    for (const [name, fault] of refused) {
        it(`refuses ${JSON.stringify(name).slice(0, 20)}: ${fault}`, () => {
            assert.equal(readEntryName(name).fault, fault);
        });
    }

    const accepted: [string, readonly string[]][] = [
        ["a/b.html", ["a", "b.html"]],
        ["./a//b/", ["a", "b"]],
        ["...", ["..."]],
        ["ab:c", ["ab:c"]],
        ["x".repeat(255), ["x".repeat(255)]],
    ];
    for (const [name, parts] of accepted) {
        it(`reads ${JSON.stringify(name).slice(0, 20)}`, () => {
            assert.deepEqual(readEntryName(name), { parts });
        });
    }
});
