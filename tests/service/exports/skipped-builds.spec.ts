import assert from "node:assert/strict";
import { SkippedBuildError } from "../../../service/src/builds/build-failure.js";
import { type SiteJob, shownStatusOf } from "../../../service/src/exports/site-job.js";
import { describeUpdate } from "../../../service/src/updates/describe-update.js";
import { withQueue } from "../support/running-queue.js";
import { domain } from "../support/running-service.js";

const update = { domain, projectId: domain, startedBy: "api", isDone: false };

/** Ends the first run of an export or update, and returns its job. */
async function afterRun(kind: "export" | "update", error: Error, cancellation?: string): Promise<SiteJob> {
    let ended: SiteJob | undefined;
    await withQueue(async (running) => {
        const { store } = running;
        const { jobId } = await (kind === "update" ? store.createUpdate(update) : store.create({ domain }));
        await running.queue.startAlone();
        const run = await running.exporter.nth(1);
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

    it("is a successful update that publishes nothing", async () => {
        const job = await afterRun("update", new SkippedBuildError());
        const { status, summary, commit } = describeUpdate({ ...job, sourceRef: "4f2a9c1" }, undefined);
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
