import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { withExampleService } from "../../../dev/dashboard-pictures/example-service.js";
import { drawnFile, fingerprints } from "../../../dev/dashboard-pictures/shown.js";

describe("The pictures of the dashboard", function () {
    this.timeout(60_000);

    it("show what its pages say today: otherwise, run `npm run dashboard-pictures`", async () => {
        assert.deepEqual(JSON.parse(await readFile(drawnFile, "utf8")), await withExampleService(fingerprints));
    });
});
