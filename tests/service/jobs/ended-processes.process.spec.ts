import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { openSqliteDatabase } from "../../../service/src/database/sqlite-database.js";
import { SiteJobAttempts } from "../../../service/src/exports/site-job-attempts.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { withQueue } from "../support/running-queue.js";
import { domain, withFolder } from "../support/running-service.js";

describe("A service that closes", () => {
    it("lets a job finish if it ends in time, and starts no other job", async () => {
        await withQueue(
            async ({ store, queue, exporter }) => {
                const first = await store.create({ domain });
                const second = await store.create({ domain: "other.example.com" });
                await queue.startAlone();
                const running = await exporter.nth(1);
                const closed = queue.close();
                await running.complete();
                await closed;
                assert.equal((await store.get(first.jobId))?.status, "completed");
                assert.equal((await store.get(second.jobId))?.status, "queued");
            },
            { closeMs: 60_000 },
        );
    });

    for (const [closeMs, when] of [
        [1, "that does not end in time"],
        [0, "at once, where it has no time"],
    ] as const) {
        it(`requeues a job ${when}`, async () => {
            await withQueue(
                async ({ store, queue, exporter }) => {
                    const { jobId } = await store.create({ domain });
                    await queue.startAlone();
                    await exporter.nth(1);
                    await queue.close();
                    const job = await store.get(jobId);
                    assert.deepEqual([job?.status, job?.starts], ["queued", 0]);
                },
                { closeMs },
            );
        });
    }
});

describe("A job that is interrupted", () => {
    const withStore = (use: (store: SiteJobStore, attempts: SiteJobAttempts) => Promise<void>): Promise<void> =>
        withFolder(async (dataDir) => {
            const database = openSqliteDatabase(dataDir);
            try {
                await use(new SiteJobStore(database, Date.now), new SiteJobAttempts(database, Date.now));
            } finally {
                await database.close();
            }
        });

    for (const [interruptions, status, error] of [
        [2, "completed", null],
        [3, "failed", "The service ended 3 times while this job ran, so the job is not run again. Start a new export."],
    ] as const) {
        it(`is ${status} by the next service after ${interruptions} interruptions`, async () => {
            await withQueue(async ({ store, attempts, queue, exporter, ended }) => {
                const { jobId } = await store.create({ domain });
                for (let start = 1; start < interruptions; start += 1) {
                    await attempts.claim();
                    await attempts.takeAll();
                }
                await attempts.claim();
                await queue.startAlone();
                if (status === "completed") {
                    await (await exporter.nth(1)).complete();
                }
                assert.equal(await ended(jobId), status);
                assert.equal((await store.get(jobId))?.error ?? null, error);
                assert.equal(exporter.begun.length, status === "completed" ? 1 : 0);
            });
        });
    }

    it("runs next to others the first time, because most interruptions are lost machines", async () => {
        await withQueue(
            async ({ store, attempts, queue, exporter, ended }) => {
                const jobs: string[] = [];
                for (const name of [domain, "other.example.com"]) {
                    jobs.push((await store.create({ domain: name })).jobId);
                    await attempts.claim();
                }
                await queue.startAlone();
                await exporter.nth(2);
                for (const [at, jobId] of jobs.entries()) {
                    await (await exporter.nth(at + 1)).complete();
                    assert.equal(await ended(jobId), "completed");
                }
            },
            { concurrency: 2 },
        );
    });

    it("runs alone once it was interrupted twice, so that it cannot cause other exports to fail", async () => {
        await withQueue(
            async ({ store, attempts, queue, exporter, ended }) => {
                const interrupted: string[] = [];
                for (const name of [domain, "other.example.com"]) {
                    interrupted.push((await store.create({ domain: name })).jobId);
                }
                for (let interruptions = 0; interruptions < 2; interruptions += 1) {
                    await attempts.claim();
                    await attempts.claim();
                    await attempts.takeAll();
                }
                await queue.startAlone();
                const first = await exporter.nth(1);
                const { jobId } = await store.create({ domain: "other.example.com" });
                queue.wake();
                for (let turns = 0; turns < 10; turns += 1) {
                    await turn();
                }
                assert.equal(exporter.begun.length, 1);
                await first.complete();
                assert.equal(await ended(interrupted[0] as string), "completed");
                await (await exporter.nth(2)).complete();
                assert.equal(await ended(interrupted[1] as string), "completed");
                await (await exporter.nth(3)).complete();
                assert.equal(await ended(jobId), "completed");
            },
            { concurrency: 2 },
        );
    });

    it("waits until all other exports have ended once it was interrupted twice", async () => {
        await withQueue(
            async ({ store, attempts, queue, exporter, ended }) => {
                const { jobId } = await store.create({ domain });
                await queue.startAlone();
                const running = await exporter.nth(1);
                const other = (await store.create({ domain: "other.example.com" })).jobId;
                for (let interruptions = 0; interruptions < 2; interruptions += 1) {
                    await attempts.claim();
                    const lost = (await attempts.running()).find((each) => each.jobId === other);
                    assert.ok(lost);
                    await attempts.takeFrom(lost);
                }
                queue.wake();
                assert.equal(await attempts.claim([jobId]), undefined);
                await running.complete();
                assert.equal(await ended(jobId), "completed");
                await (await exporter.nth(2)).complete();
                assert.equal(await ended(other), "completed");
            },
            { concurrency: 2 },
        );
    });

    it("runs again after any number of deliberate service stops", async () => {
        await withStore(async (store, attempts) => {
            await store.create({ domain });
            for (let stop = 0; stop < 10; stop += 1) {
                const job = await attempts.claim();
                assert.ok(job);
                await attempts.putBack(job);
            }
            assert.equal((await attempts.claim())?.starts, 1);
        });
    });
});
