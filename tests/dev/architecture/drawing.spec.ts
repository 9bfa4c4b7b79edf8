import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { draw, withDrawing } from "../../../dev/architecture/drawing.js";

const page = new URL("../../../docs/architecture-graph.md", import.meta.url);

describe("The drawing of the architecture", () => {
    let drawing: string;

    before(async function () {
        this.timeout(180_000);
        drawing = await draw();
    });

    it("matches what the code imports: run `npm run architecture` after rooms have changed", async () => {
        const text = await readFile(page, "utf8");
        assert.equal(withDrawing(text, drawing), text);
    });

    it("draws an arrow from the importing room to the imported one only", () => {
        assert.match(drawing, /^ {4}provider_room --> sdk_room$/m);
        assert.doesNotMatch(drawing, /^ {4}sdk\w* --> (provider|service|cli)/m);
    });

    it("has no pair of opposite arrows, also not between a folder and its own sub-folders", () => {
        const arrows = new Set(drawing.match(/\w+ --> \w+/g));
        const opposite = [...arrows].filter((arrow) => arrows.has(arrow.split(" --> ").reverse().join(" --> ")));
        assert.ok(arrows.size > 20);
        assert.deepEqual(opposite, []);
    });

    it("rejects a page without a place for it", () => {
        assert.throws(() => withDrawing("# Architecture\n", "drawing"), /needs the lines/);
    });
});
