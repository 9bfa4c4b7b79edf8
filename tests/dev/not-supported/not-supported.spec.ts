import assert from "node:assert/strict";
import { readAndUpdate } from "../../../dev/references/write.js";

describe("the guide's list of unsupported features", () => {
    it("matches the exporter's own lists: run `npm run references` after changing them", async () => {
        const { text, updated } = await readAndUpdate("docs/reference/not-supported.md");
        assert.equal(updated, text);
    });
});
