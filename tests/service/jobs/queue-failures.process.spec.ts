import assert from "node:assert/strict";
import { parseGitSource } from "../../../service/src/exports/git-source.js";
import { GitServer } from "../support/git-server.js";
import { withQueue } from "../support/running-queue.js";
import { domain } from "../support/running-service.js";

describe("A full disk", () => {
    it("at the end of a job delays its outcome until there is space, and the next job runs", async () => {
        await withQueue(async ({ store, attempts, queue, exporter, errors, ended }) => {
            const first = await store.create({ domain });
            const second = await store.create({ domain: "other.example.com" });
            await queue.startAlone();
            const running = await exporter.nth(1);
            attempts.failures = 3;
            await running.complete();
            assert.equal(await ended(first.jobId), "completed");
            assert.equal(
                errors.filter((error) => /could not be stored, and the service tries again/.test(error)).length,
                3,
            );
            await (await exporter.nth(2)).complete();
            assert.equal(await ended(second.jobId), "completed");
        });
    });

    it("at the end of a failed job delays the outcome, but preserves the error", async () => {
        await withQueue(async ({ store, attempts, queue, exporter, ended }) => {
            const { jobId } = await store.create({ domain });
            await queue.startAlone();
            const running = await exporter.nth(1);
            attempts.failures = 2;
            running.fail(new Error("guide.md:12: not closed"));
            assert.equal(await ended(jobId), "failed");
            assert.equal((await store.get(jobId))?.error, "guide.md:12: not closed");
        });
    });

    it("before a repository is fetched delays the export until there is space", async () => {
        const server = await GitServer.start();
        try {
            await server.commit({ "index.md": "# Start\n" });
            const source = parseGitSource(domain, `git+${server.url}#main`);
            await withQueue(
                async ({ store, attempts, queue, exporter, errors, ended }) => {
                    const { jobId } = await store.create({ domain });
                    attempts.failuresOfReads = 2;
                    await queue.startAlone();
                    await (await exporter.nth(1)).complete();
                    assert.equal(await ended(jobId), "completed");
                    assert.deepEqual(
                        errors.map((error) => error.replace(/^Export job \S+ of \S+ /, "")),
                        Array<string>(2).fill(
                            "tries again to read the published commit: Error: database or disk is full",
                        ),
                    );
                },
                { source },
            );
        } finally {
            await server.stop();
        }
    });

    it("before the start of a job leaves the job queued until there is space", async () => {
        await withQueue(async ({ store, attempts, queue, exporter, errors, ended }) => {
            const { jobId } = await store.create({ domain });
            attempts.failures = 2;
            await queue.startAlone();
            assert.equal((await store.get(jobId))?.status, "queued");
            await (await exporter.nth(1)).complete();
            assert.equal(await ended(jobId), "completed");
            assert.match(
                errors[0] ?? "",
                /^No export job could be started, and the service tries again: .*disk is full/,
            );
        });
    });
});
