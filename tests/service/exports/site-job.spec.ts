import assert from "node:assert/strict";
import { LiveProgress } from "../../../service/src/exports/live-progress.js";
import { isUnfinished, shownStatusOf, type SiteJob, siteOf, toSiteJob } from "../../../service/src/exports/site-job.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { withSqlite } from "../support/sqlite.js";

const domain = "docs.example.com";

/** A job whose row has these columns, in a process that knows its live progress. */
async function jobWith(
    columns: Record<string, string | number | null>,
    live = new LiveProgress(() => 0),
): Promise<SiteJob> {
    let found: SiteJob | undefined;
    await withSqlite(async (database) => {
        const { jobId } = await new SiteJobStore(database, () => 1000).create({ domain });
        const sets = Object.keys(columns).map((name) => `${name} = :${name}`);
        const sql = `UPDATE static_export_jobs SET ${sets.join(", ")} WHERE job_id = :jobId RETURNING *`;
        const row = await database.get<Parameters<typeof toSiteJob>[0]>(sql, { ...columns, jobId });
        found = toSiteJob({ ...row!, job_id: "live" }, live);
    });
    return found!;
}

describe("A job of a site", () => {
    it("shows the progress that its process knows only while it runs, and 100 percent once completed", async () => {
        const live = new LiveProgress(() => 9000);
        live.set("live", 1, { progress: 60, pageCount: 7 });
        const shown = async (status: string, attempt = 1) => {
            const job = await jobWith({ status, attempt, progress: 40, page_count: 3, updated_at: 2000 }, live);
            return [job.progress, job.pageCount, job.updatedAt.getTime()];
        };
        assert.deepEqual(await shown("running"), [60, 7, 9000]);
        assert.deepEqual(await shown("running", 2), [40, 3, 2000]);
        assert.deepEqual(await shown("queued"), [40, 3, 2000]);
        assert.deepEqual(await shown("completed"), [100, 3, 2000]);
    });

    it("shows the newer one of its times", async () => {
        const live = new LiveProgress(() => 1500);
        live.set("live", 1, { progress: 60, pageCount: 7 });
        const job = await jobWith({ status: "running", attempt: 1, updated_at: 2000 }, live);
        assert.equal(job.updatedAt.getTime(), 2000);
    });

    it("shows numbers of earlier releases within their bounds", async () => {
        const job = await jobWith({ progress: 250, page_count: -3 });
        assert.deepEqual([job.progress, job.pageCount], [100, 0]);
    });

    it("is readable although one of its values is broken: it exports no pages then", async () => {
        const broken = await jobWith({ paths: "[", warnings: "{", commit_details: "x" });
        assert.deepEqual([broken.paths, broken.warnings, broken.commitDetails], [[], null, null]);
        const whole = await jobWith({ paths: '["guides"]', warnings: null });
        assert.deepEqual([whole.paths, whole.warnings], [["guides"], null]);
        assert.equal((await jobWith({ paths: null })).paths, null);
    });

    it("belongs to the site whose branch it previews, or to its own domain", async () => {
        const job = await jobWith({ preview_of: "site.example.com", branch: "next" });
        assert.deepEqual([job.preview, siteOf(job)], [{ of: "site.example.com", branch: "next" }, "site.example.com"]);
        assert.deepEqual((await jobWith({ preview_of: "site.example.com", branch: null })).preview?.branch, "");
        const own = await jobWith({ preview_of: null });
        assert.deepEqual([own.preview, siteOf(own)], [null, domain]);
    });

    it("is shown as cancelled once it has stopped, and is unfinished until then", async () => {
        const cancelled = await jobWith({ status: "running", cancellation: "No." });
        const statusOf = ({ status, isCancelled }: SiteJob) => shownStatusOf(status, isCancelled);
        assert.deepEqual([statusOf(cancelled), isUnfinished(cancelled)], ["running", true]);
        const stopped = await jobWith({ status: "failed", cancellation: "No." });
        assert.deepEqual([statusOf(stopped), isUnfinished(stopped)], ["cancelled", false]);
        assert.equal(statusOf(await jobWith({ status: "failed" })), "failed");
        assert.equal(isUnfinished(await jobWith({ status: "queued" })), true);
        assert.equal(isUnfinished(await jobWith({ status: "completed" })), false);
    });
});
