import assert from "node:assert/strict";
import { parseGitSource } from "../../../service/src/exports/git-source.js";
import { GitServer } from "../support/git-server.js";
import { withQueue } from "../support/running-queue.js";
import { domain } from "../support/running-service.js";

describe("An outcome that the database never accepts", () => {
    it("fails its job with the reason, and the next job runs", async () => {
        await withQueue(async ({ store, queue, exporter, errors, ended }) => {
            const first = await store.create({ domain });
            const second = await store.create({ domain: "other.example.com" });
            await queue.startAlone();
            const running = await exporter.nth(1);
            running.control.onProgress(10, 5);
            await running.complete("archive", { sizeBytes: 0.5 });
            assert.equal(await ended(first.jobId), "failed");
            const reason =
                "The outcome cannot be stored: The value of sizeBytes is not a whole number within the limits of the database.";
            assert.equal((await store.get(first.jobId))?.error, reason);
            assert.deepEqual(
                errors.filter((error) => error.includes("cannot be stored")),
                [`Export job ${first.jobId} of ${domain} failed: ${reason}`],
            );
            await (await exporter.nth(2)).complete();
            assert.equal(await ended(second.jobId), "completed");
        });
    });
});

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
                1,
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
            const source = parseGitSource(domain, `git+${server.url}#main`)!;
            await withQueue(
                async ({ store, attempts, queue, exporter, errors, ended }) => {
                    const { jobId } = await store.create({ domain });
                    attempts.failuresOfReads = 2;
                    await queue.startAlone();
                    await (await exporter.nth(1)).complete();
                    assert.equal(await ended(jobId), "completed");
                    assert.deepEqual(
                        errors.map((error) => error.replace(/^Export job \S+ of \S+ /, "")),
                        [
                            "tries again to read the published commit: DatabaseUnavailableError: The database cannot be used: the disk is full.",
                        ],
                    );
                },
                { site: { source } },
            );
        } finally {
            await server.stop();
        }
    });

    it("at the end of a build delays its export, with one line of the log at the beginning and one at the end", async () => {
        await withQueue(async ({ store, disk, queue, exporter, errors, infos, ended }) => {
            const { jobId } = await store.create({ domain });
            await queue.startAlone();
            const first = await exporter.nth(1);
            disk.isFull = true;
            disk.onCheck = (count) => (disk.isFull = count < 3);
            first.fail(new Error("The disk is full: free space on it, then start a new export."));
            const second = await exporter.nth(2);
            assert.equal((await store.get(jobId))?.status, "running");
            assert.equal(second.request.sourceDir, first.request.sourceDir);
            await second.complete();
            assert.equal(await ended(jobId), "completed");
            const job = `Export job ${jobId} of ${domain}`;
            assert.deepEqual(errors, [`${job} waits until there is space: the disk of work is full.`]);
            assert.deepEqual(infos.slice(1), [`${job} continues: there is space again.`, `${job} completed: 3 pages.`]);
        });
    });

    it("during a build puts its job back in the queue until there is space, and the start does not count", async () => {
        const server = await GitServer.start();
        try {
            await server.commit({ "index.md": "# Start\n" });
            const source = parseGitSource(domain, `git+${server.url}#missing`)!;
            await withQueue(
                async ({ store, disk, queue, errors, infos, ended }) => {
                    const { jobId } = await store.create({ domain });
                    // The claim is the first check, and the failure the second one.
                    disk.onCheck = (count) => (disk.isFull = count > 1 && count < 5);
                    await queue.startAlone();
                    assert.equal(await ended(jobId), "failed");
                    assert.equal((await store.get(jobId))?.starts, 1);
                    const job = `Export job ${jobId} of ${domain}`;
                    assert.deepEqual(errors.slice(0, 2), [
                        `${job} waits in the queue for space: the disk of work is full.`,
                        "No export job could be started, and the service tries again: Error: the disk of work is full",
                    ]);
                    assert.equal(errors.length, 3);
                    assert.ok(infos.includes("The service starts export jobs again."));
                },
                { site: { source } },
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
