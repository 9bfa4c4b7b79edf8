import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { draw, withDrawing } from "../../../dev/architecture/drawing.js";

const page = new URL("../../../docs/architecture-graph.md", import.meta.url);

describe("The architecture drawing", () => {
    let drawing: string;

    before(async function () {
        this.timeout(180_000);
        drawing = await draw();
    });

    it("matches the imports in the code: run `npm run architecture` after changing rooms", async () => {
        const text = await readFile(page, "utf8");
        assert.equal(withDrawing(text, drawing), text);
    });

    it("draws arrows only from the importing room to the imported room", () => {
        assert.match(drawing, /^ {4}provider_room --> sdk_room$/m);
        assert.doesNotMatch(drawing, /^ {4}sdk\w* --> (provider|service|cli)/m);
    });

    it("contains no pair of opposite arrows, even between a folder and its sub-folders", () => {
        const arrows = new Set(drawing.match(/\w+ --> \w+/g));
        const opposite = [...arrows].filter((arrow) => arrows.has(arrow.split(" --> ").reverse().join(" --> ")));
        assert.ok(arrows.size > 20);
        assert.deepEqual(opposite, []);
    });

    it("cannot be inserted into a page that lacks the lines around the drawing", () => {
        assert.throws(() => withDrawing("# Architecture\n", "drawing"), /needs the lines/);
    });
});
