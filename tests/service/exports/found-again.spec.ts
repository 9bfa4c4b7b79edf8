import assert from "node:assert/strict";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { SiteJobAttempts } from "../../../service/src/exports/site-job-attempts.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { withSqlite } from "../support/sqlite.js";

const domain = "docs.example.com";
const old = 1000;
const limits = { keepJobs: 1, unusedBefore: 5000, linkedSince: 5000 };
const bundle = { pageCount: 1, sizeBytes: 1, sha256: "a" };

/** Two exports complete, and the retention removes the outdated one. @param whenFound - called before the removal */
async function removeUnused(
    whenFound: (ofFirst: { store: SiteJobStore; attempts: SiteJobAttempts; jobId: string }) => Promise<void>,
): Promise<number> {
    let removed = -1;
    await withSqlite(async (database) => {
        const [before, after] = [() => old, () => 9000];
        const attempts = new SiteJobAttempts(database, before);
        const store = new SiteJobStore(database, before);
        for (let count = 0; count < 2; count += 1) {
            await store.create({ domain });
            await attempts.complete((await attempts.claim())!, bundle);
        }
        const [, first] = await store.list(domain, 2);
        let hasSearched = false;
        const observed: Pick<ServiceDatabase, "transaction"> = {
            transaction: async (work, lock) => {
                const result = await database.transaction(work, lock);
                if (!hasSearched) {
                    hasSearched = true;
                    const later = new SiteJobAttempts(database, after);
                    await whenFound({ store: new SiteJobStore(database, after), attempts: later, jobId: first!.jobId });
                }
                return result;
            },
        };
        const retention = new SiteJobStore(observed as ServiceDatabase, after);
        removed = await retention.removeUnused(limits, () => Promise.resolve());
    });
    return removed;
}

describe("An outdated job", () => {
    it("is removed", async () => {
        assert.equal(await removeUnused(() => Promise.resolve()), 1);
    });

    it("stays if it has issued a link since the retention found it", async () => {
        assert.equal(await removeUnused(({ store, jobId }) => store.markLinked(jobId)), 0);
    });

    it("stays if it has started again since the retention found it", async () => {
        assert.equal(await removeUnused(({ store, jobId }) => store.rebuild(jobId)), 0);
    });

    it("stays if it has completed again since the retention found it: a client asked for its bundle", async () => {
        const removed = await removeUnused(async ({ store, attempts, jobId }) => {
            await store.rebuild(jobId);
            await attempts.complete((await attempts.claim())!, bundle);
        });
        assert.equal(removed, 0);
    });
});
