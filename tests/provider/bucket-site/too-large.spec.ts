import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BucketSiteFixture } from "./bucket-site-fixture.js";

describe("A BucketSite whose bundle is larger than 8 GiB", () => {
    it("is refused before the download, and the error names no setting that the resource lacks", async () => {
        const folder = mkdtempSync(join(tmpdir(), "bucket-site-"));
        const fixture = await BucketSiteFixture.start();
        fixture.platform.archive = (_request, response) =>
            response.writeHead(200, { "content-length": 8 * 1024 ** 3 + 1 }).flushHeaders();
        try {
            await assert.rejects(fixture.create({ jobId: "se_1", folder }), ({ message }: Error) => {
                assert.match(message, /larger than 8589934592 bytes\. This limit cannot be raised: export fewer pages/);
                assert.doesNotMatch(message, /maxBytes/);
                return true;
            });
        } finally {
            fixture.stop();
            rmSync(folder, { recursive: true });
        }
    });
});
