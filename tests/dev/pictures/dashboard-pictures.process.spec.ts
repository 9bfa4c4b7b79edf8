import assert from "node:assert/strict";
import { fingerprints } from "../../../dev/pictures/dashboard.js";
import { readDrawn } from "../../../dev/pictures/fingerprint.js";

describe("The pictures of the dashboard", function () {
    this.timeout(60_000);

    it("show what its pages say today: otherwise, run `npm run pictures`", async () => {
        const shown = await fingerprints();
        assert.deepEqual(await readDrawn(Object.keys(shown)), shown);
    });
});
