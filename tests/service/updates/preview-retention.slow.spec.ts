import assert from "node:assert/strict";
import { SiteJobAttempts } from "../../../service/src/exports/site-job-attempts.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { describeOnBoth } from "../database/databases.js";

const site = "docs.example.com";
const previewed = "draft.previews.example.com";

describeOnBoth("The retention of previews", (withDatabase) => {
    it("removes the last update and the last export of a preview, but not of a site", async () => {
        await withDatabase(async (database) => {
            const store = new SiteJobStore(database, () => 1000);
            const attempts = new SiteJobAttempts(database, () => 1000);
            const preview = { of: site, branch: "draft" };
            const update = { projectId: site, startedBy: "api", isDone: true };
            await store.createUpdate({ ...update, domain: site });
            await store.createUpdate({ ...update, domain: previewed, preview });
            await store.create({ domain: site });
            await store.create({ domain: previewed, preview });
            for (let count = 0; count < 2; count += 1) {
                const run = await attempts.claim();
                await attempts.complete(run!, { pageCount: 1, sizeBytes: 1, sha256: String(count) });
            }
            assert.deepEqual(await store.findPreview(previewed), preview);
            const limits = { keepJobs: 200, linkedSince: 2000 };
            assert.equal(await store.removeUnused({ ...limits, unusedBefore: 500 }, () => Promise.resolve()), 0);
            assert.equal(await store.removeUnused({ ...limits, unusedBefore: 2000 }, () => Promise.resolve()), 2);
            assert.equal(await store.findPreview(previewed), undefined);
            assert.equal((await store.list(site, 10)).length, 1);
            assert.equal((await store.list(previewed, 10)).length, 0);
            assert.equal(await store.count(), 2);
        });
    });
});
