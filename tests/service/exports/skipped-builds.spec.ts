import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { SkippedBuildError } from "../../../service/src/builds/build-failure.js";
import { openSqliteDatabase } from "../../../service/src/database/sqlite-database.js";
import { SiteJobAttempts } from "../../../service/src/exports/site-job-attempts.js";
import { type SiteJob, shownStatusOf } from "../../../service/src/exports/site-job.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { describeUpdate } from "../../../service/src/updates/describe-update.js";
import { withQueue } from "../support/running-queue.js";
import { domain, withFolder, withServiceOver } from "../support/running-service.js";

const update = { domain, projectId: domain, startedBy: "api", isDone: false };

/** Ends the first run of an export or update, and returns its job. */
async function afterRun(kind: "export" | "update", error: Error, cancellation?: string): Promise<SiteJob> {
    let ended: SiteJob | undefined;
    await withQueue(async (running) => {
        const { store } = running;
        const { jobId } = await (kind === "update" ? store.createUpdate(update) : store.create({ domain }));
        await running.queue.startAlone();
        const run = await running.exporter.nth(1);
        if (kind === "update") {
            const runs = await running.attempts.running();
            await running.attempts.recordSource(runs[0]!, "4f2a9c1", { author: "Ada", message: "Fix a typo" });
        }
        await (cancellation === undefined ? undefined : store.cancel(jobId, cancellation));
        run.fail(error);
        assert.equal(await running.ended(jobId), "failed");
        ended = await store.get(jobId);
    });
    return ended!;
}

describe("The job of a build that skips its commit", () => {
    const { message } = new SkippedBuildError();

    it("is cancelled by the build, so that the site has not failed", async () => {
        const job = await afterRun("export", new SkippedBuildError());
        assert.deepEqual([shownStatusOf(job.status, job.isCancelled), job.error], ["cancelled", message]);
    });

    it("has details, also if it is an export, which shows no commit", async () => {
        await withFolder(async (folder) => {
            const dataDir = join(folder, "data");
            await mkdir(dataDir);
            const database = openSqliteDatabase(dataDir);
            const attempts = new SiteJobAttempts(database, Date.now);
            const { jobId } = await new SiteJobStore(database, Date.now).create({ domain });
            const run = (await attempts.claim())!;
            assert.equal(await attempts.skip(run, message), true);
            assert.equal(await attempts.putBack(run), "cancelled");
            await database.close();
            await withServiceOver(folder, {}, async ({ request }) => {
                const { status, body } = await request("GET", `/v1/static-export/jobs/${jobId}/details`);
                assert.deepEqual([status, body["cancellation"], body["commit"]], [200, message, undefined]);
            });
        });
    });

    it("ends the equal exports that waited for it, which would only run the same build", async () => {
        await withQueue(async ({ store, queue, exporter, ended, infos }) => {
            const [first, equal] = [await store.create({ domain }), await store.create({ domain })];
            await queue.startAlone();
            (await exporter.nth(1)).fail(new SkippedBuildError());
            assert.equal(await ended(first.jobId), "failed");
            const job = (await store.get(equal.jobId))!;
            assert.deepEqual([job.status, job.isCancelled, job.error], ["failed", true, message]);
            await queue.close();
            assert.deepEqual(infos, [
                `Export job ${first.jobId} of ${domain} started.`,
                `Export job ${equal.jobId} of ${domain} ended with the outcome of job ${first.jobId}.`,
                `Export job ${first.jobId} of ${domain} has stopped: ${message}`,
            ]);
        });
    });

    it("is a successful update that publishes nothing", async () => {
        const job = await afterRun("update", new SkippedBuildError());
        const { status, summary, commit } = describeUpdate(job, undefined);
        assert.deepEqual([status, summary, commit], ["success", message, undefined]);
    });

    it("is a failed update if a client has cancelled it meanwhile", async () => {
        const job = await afterRun("update", new SkippedBuildError(), "Cancelled by ci.");
        const { status, summary } = describeUpdate(job, undefined);
        assert.deepEqual([status, summary], ["failure", "Cancelled by ci."]);
    });

    it("is a failed update if an error has only the same text", async () => {
        const job = await afterRun("update", new Error(message));
        assert.deepEqual([describeUpdate(job, undefined).status, job.isCancelled], ["failure", false]);
    });
});
