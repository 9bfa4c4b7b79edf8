import assert from "node:assert/strict";
import { partOfRoute } from "../../../../exporter/src/read/files/generated-routes.js";

describe("The name of a generated page", () => {
    for (const [what, title, name] of [
        ["a line break", "line one\nline two", "line-one-line-two"],
        ["a line break after a hyphen", "re-\r\nuse", "re--use"],
        ["tabs and several spaces", "a\t b   c", "a-b-c"],
        ["a no-break space, and one of full width", "a\u00A0b\u3000c", "a-b-c"],
        ["spaces around its words", " a b\n", "a-b"],
    ] as const) {
        it(`separates words by hyphens: ${what}`, () => {
            assert.equal(partOfRoute(title), name);
        });
    }
});
