import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { measureFiles } from "@pulumi-static-export/sdk/publish";
import { SiteFixture } from "./support/site-fixture.js";

describe("Files that were measured while being unpacked", () => {
    it("are not read again, unlike all other files", async () => {
        const fixture = await SiteFixture.create();
        try {
            await fixture.publish({ "index.html": "first", "a.html": "first" });
            // Reports the live content's digest for a file with different content, so that only code that reads the
            // file notices the difference.
            const { measured, onFile } = measureFiles();
            const digest = createHash("sha256").update("first").digest("hex");
            onFile("index.html", { digest, sizeBytes: 5 });
            const folder = await fixture.write({ "index.html": "second", "a.html": "second" });
            const { steps } = await fixture.publish({}, { openSite: () => Promise.resolve({ folder, measured }) });
            assert.deepEqual(
                steps.map(({ path }) => path),
                ["a.html"],
            );
        } finally {
            await fixture.remove();
        }
    });
});
