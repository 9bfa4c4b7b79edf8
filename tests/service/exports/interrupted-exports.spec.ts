import assert from "node:assert/strict";
import { withQueue } from "../support/running-queue.js";
import { domain } from "../support/running-service.js";
import { withRepository } from "./support/repository-site.js";

describe("The log of an export", () => {
    it("says how a run ended that another worker has replaced", async () => {
        await withQueue(async ({ store, attempts, queue, exporter, ended, logOf, infos }) => {
            const { jobId } = await store.create({ domain });
            await queue.startAlone();
            const running = await exporter.nth(1);
            await attempts.takeFrom((await attempts.running())[0]!);
            await running.complete();
            await (await exporter.nth(2)).complete();
            assert.equal(await ended(jobId), "completed");
            const lines = await logOf(jobId);
            assert.deepEqual([lines[0], lines.at(-1)], ["Attempt 1 begins.", "Exported 3 pages."]);
            assert.ok(lines.some((line) => line.startsWith("Ended without a result: ")));
            assert.ok(
                infos.includes(`Export job ${jobId} of ${domain} was given to another worker: this run has ended.`),
            );
        });
    });
});

describe("The log of an export whose worker seemed dead", () => {
    it("has the last lines of the worker that lost it, also if that closes, until another one begins", async () => {
        for (const isClosing of [false, true]) {
            await withQueue(async ({ store, attempts, queue, exporter, disk, logOf }) => {
                const { jobId } = await store.create({ domain });
                await queue.startAlone();
                const running = await exporter.nth(1);
                await attempts.takeFrom((await attempts.running())[0]!);
                if (!isClosing) {
                    const looksForJobs = Promise.withResolvers<void>();
                    disk.onCheck = (count) => {
                        // Keeps this worker from claiming the export again.
                        disk.isFull = count === 3;
                        if (disk.isFull) {
                            looksForJobs.resolve();
                        }
                    };
                    await running.complete();
                    await looksForJobs.promise;
                }
                await queue.close();
                const reason = isClosing
                    ? "it was stopped"
                    : `Export job ${jobId} of ${domain} was given to another worker.`;
                assert.equal((await logOf(jobId)).at(-1), `Ended without a result: ${reason}`);
            });
        }
    });

    it("has no lines of this worker once another one has begun, also if this one runs the export again", async () => {
        await withQueue(async ({ store, attempts, queue, exporter, disk, ended, logOf }) => {
            const { jobId } = await store.create({ domain });
            await queue.startAlone();
            const first = await exporter.nth(1);
            await attempts.takeFrom((await attempts.running())[0]!);
            const other = (await attempts.claim())!;
            const looksForJobs = Promise.withResolvers<void>();
            // The claim is the first check, and the end without a result the second one.
            disk.onCheck = (count) => (count === 3 ? looksForJobs.resolve() : undefined);
            await first.complete();
            await looksForJobs.promise;
            assert.deepEqual(await logOf(jobId), []);
            await attempts.putBack(other);
            queue.wake();
            await (await exporter.nth(2)).complete();
            assert.equal(await ended(jobId), "completed");
            const [beginning, ...others] = await logOf(jobId);
            assert.equal(beginning, "Attempt 3 begins.");
            assert.ok(others.every((line) => !line.startsWith("Ended without a result: ")));
        });
    });
});

describe("An export for which its disk has no space", () => {
    it("waits in the queue, unless it was stopped", async () => {
        for (const isStopped of [false, true]) {
            await withRepository(async (site, { store, queue, disk, exporter, errors, ended }) => {
                const { jobId } = await store.create({ domain });
                site.checkoutError = new Error("No space left.");
                // The claim is the first check, and the failure the second one.
                disk.onCheck = (count) => {
                    disk.isFull = count === 2;
                    site.checkoutError = disk.isFull ? undefined : site.checkoutError;
                    if (disk.isFull && isStopped) {
                        void queue.stop(jobId);
                    }
                };
                await queue.startAlone();
                await (await exporter.nth(1)).complete();
                assert.equal(await ended(jobId), "completed");
                const line = `Export job ${jobId} of ${domain} waits in the queue for space: the disk of work is full.`;
                assert.deepEqual(errors, isStopped ? [] : [line]);
            });
        }
    });
});
