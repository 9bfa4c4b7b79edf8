import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describeNotSupported, withNotSupported } from "../../../dev/not-supported/write.js";

describe("the guide's list of unsupported features", () => {
    it("matches the exporter's own lists: run `npm run not-supported` after changing them", async () => {
        const page = await readFile("docs/reference/not-supported.mdx", "utf8");
        assert.equal(withNotSupported(page, describeNotSupported()), page);
    });
});
