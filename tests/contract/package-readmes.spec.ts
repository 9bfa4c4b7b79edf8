import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { nodeRange } from "@pulumi-static-export/contract";

describe("The README of a package", () => {
    const readmes = readdirSync(".").flatMap((folder) => {
        try {
            return [{ file: `${folder}/README.md`, text: readFileSync(`${folder}/README.md`, "utf8") }];
        } catch {
            return [];
        }
    });

    it("names no other range of Node.js than the packages demand", () => {
        for (const { file, text } of readmes) {
            for (const [sentence] of text.matchAll(/needs Node\.js[^.]*\d[^\n]*/g)) {
                assert.ok(sentence.includes(nodeRange), `${file}: ${sentence}`);
            }
        }
        assert.ok(readmes.some(({ text }) => text.includes(nodeRange)));
    });
});
