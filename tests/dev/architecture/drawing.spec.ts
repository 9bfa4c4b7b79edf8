import assert from "node:assert/strict";
import { readAndUpdate } from "../../../dev/references/write.js";

describe("The architecture drawing", () => {
    let text: string;
    let drawing: string;

    before(async () => {
        ({ text, updated: drawing } = await readAndUpdate("dev/architecture/import-graph.md"));
    });

    it("matches the imports in the code: run `npm run references` after changing rooms", () => {
        assert.equal(drawing, text);
    });

    it("contains no pair of opposite arrows, even between a folder and its sub-folders", () => {
        const arrows = new Set(drawing.match(/\w+ --> \w+/g));
        const opposite = [...arrows].filter((arrow) => arrows.has(arrow.split(" --> ").reverse().join(" --> ")));
        assert.ok(arrows.size > 20);
        assert.deepEqual(opposite, []);
    });
});
