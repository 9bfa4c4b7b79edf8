import { ExportError, type Exporter } from "@pulumi-static-export/exporter";
import assert from "node:assert/strict";
import { type SiteBuilder } from "../../../service/src/builds/site-builder.js";
import { type WorkFolders } from "../../../service/src/storage/storage-folders.js";
import { withQueue } from "../support/running-queue.js";
import { domain } from "../support/running-service.js";
import { completed, preview, previewed, withRepository, type Queue } from "./support/repository-site.js";

const warning = { kind: "broken-link", file: "index.md", line: 3, reason: "The link\nis broken." };
const warnings = { count: 2, first: [warning], countByKind: { "broken-link": 2 } };

/** Runs exports, and collects the end of each run as the service counts it. */
async function withEnds(use: (queue: Queue, ends: object[], clock: { now: number }) => Promise<void>): Promise<void> {
    const [ends, clock]: [object[], { now: number }] = [[], { now: 1000 }];
    await withQueue((queue) => use(queue, ends, clock), {
        clock: () => clock.now,
        parts: {
            onEnd: ({ durationMs, ...end }) => {
                assert.ok(durationMs >= 0);
                ends.push(end);
            },
        },
    });
}

describe("The log of the service", () => {
    it("has the warnings of an export that completes, each in one line, and their number", async () => {
        await withQueue(async ({ store, queue, exporter, ended, infos, errors }) => {
            const { jobId } = await store.create({ domain });
            await queue.startAlone();
            await (await exporter.nth(1)).complete("archive", { warnings });
            await ended(jobId);
            await queue.close();
            const job = `Export job ${jobId} of ${domain}`;
            assert.deepEqual(infos.slice(1), [
                `${job}: index.md:3: The link is broken.`,
                `${job} completed: 3 pages, 2 warnings.`,
            ]);
            assert.deepEqual(errors, []);
        });
    });

    it("has no warnings of an export without any, and names the job and site of each line for searches", async () => {
        await withQueue(async ({ store, queue, exporter, ended, infos, fields }) => {
            const [first, equal] = [await store.create({ domain }), await store.create({ domain })];
            await queue.startAlone();
            await (await exporter.nth(1)).complete();
            await ended(equal.jobId);
            await queue.close();
            const [job, about] = [`Export job ${first.jobId} of ${domain}`, { job: first.jobId, domain }];
            const answered = `Export job ${equal.jobId} of ${domain} ended with the outcome of job ${first.jobId}.`;
            assert.deepEqual(infos, [`${job} started.`, `${job} completed: 3 pages.`, answered]);
            assert.deepEqual([...fields.values()], [about, about, { job: equal.jobId }]);
        });
    });

    it("has the error of an export that fails in one line, with the exporter's details and warnings", async () => {
        await withQueue(async ({ store, queue, exporter, ended, infos, errors }) => {
            const { jobId } = await store.create({ domain });
            await queue.startAlone();
            (await exporter.nth(1)).fail(new ExportError("The site has\n2 warnings.", "Error: at line 1", warnings));
            await ended(jobId);
            await queue.close();
            const job = `Export job ${jobId} of ${domain}`;
            assert.deepEqual(infos.slice(1), [`${job}: index.md:3: The link is broken.`]);
            assert.deepEqual(errors, [`${job} failed: The site has 2 warnings.`, `${job}: Error: at line 1`]);
            const stored = await store.get(jobId);
            assert.deepEqual([stored?.error, stored?.warnings], ["The site has 2 warnings.", warnings]);
        });
    });

    it("has no details of an error without any, whatever was thrown", async () => {
        for (const thrown of [new ExportError("No pages."), new Error("No pages."), "No pages."]) {
            await withQueue(async ({ store, queue, exporter, ended, errors, logOf }) => {
                const { jobId } = await store.create({ domain });
                await queue.startAlone();
                (await exporter.nth(1)).fail(thrown as Error);
                await ended(jobId);
                await queue.close();
                assert.deepEqual(errors, [`Export job ${jobId} of ${domain} failed: No pages.`]);
                assert.equal((await store.get(jobId))?.warnings, null);
                assert.equal((await logOf(jobId)).at(-1), "Ended without a result: No pages.");
            });
        }
    });

    it("says which exports ended with the outcome of another one", async () => {
        for (const outcome of ["completed", "failed"] as const) {
            await withQueue(async ({ store, queue, exporter, ended, infos }) => {
                const [first, equal] = [await store.create({ domain }), await store.create({ domain })];
                await queue.startAlone();
                const running = await exporter.nth(1);
                await (outcome === "completed" ? running.complete() : running.fail(new Error("No pages.")));
                assert.equal(await ended(equal.jobId), outcome);
                await queue.close();
                const line = `Export job ${equal.jobId} of ${domain} ended with the outcome of job ${first.jobId}.`;
                assert.equal(infos.at(-1), line);
            });
        }
    });

    it("says that an export was cancelled, and the export's own log that it was stopped", async () => {
        await withQueue(async ({ store, queue, exporter, infos, errors, logOf }) => {
            const { jobId } = await store.create({ domain });
            await queue.startAlone();
            await exporter.nth(1);
            await store.cancel(jobId, "Not needed.");
            await queue.stop(jobId);
            await queue.close();
            assert.deepEqual(
                [infos.at(-1), errors],
                [`Export job ${jobId} of ${domain} has stopped, because it was cancelled.`, []],
            );
            assert.deepEqual((await logOf(jobId)).at(-1), "Ended without a result: it was stopped");
        });
    });

    it("has no outcome of an export that was cancelled while it ended, but says so once", async () => {
        for (const outcome of ["completed", "failed"] as const) {
            await withQueue(async ({ store, queue, exporter, ended, infos, errors }) => {
                const { jobId } = await store.create({ domain });
                await queue.startAlone();
                const running = await exporter.nth(1);
                await store.cancel(jobId, "Not needed.");
                await (outcome === "completed" ? running.complete() : running.fail(new Error("No pages.")));
                assert.equal(await ended(jobId), "failed");
                await queue.close();
                const job = `Export job ${jobId} of ${domain}`;
                assert.deepEqual(infos, [`${job} started.`, `${job} has stopped, because it was cancelled.`]);
                assert.deepEqual(errors, []);
                assert.equal((await store.get(jobId))?.error, "Not needed.");
            });
        }
    });

    it("names files that an earlier process has left and that cannot be removed", async () => {
        const folders: Pick<WorkFolders, "removeUnheld"> = {
            removeUnheld: () => Promise.resolve(["EBUSY: work/a\nis busy", "EBUSY: work/b"]),
        };
        await withQueue(
            async ({ queue, errors }) => {
                await queue.startAlone();
                assert.deepEqual(errors.slice(0, 2), [
                    "Files of an earlier run cannot be removed: EBUSY: work/a is busy",
                    "Files of an earlier run cannot be removed: EBUSY: work/b",
                ]);
            },
            { parts: { folders: folders as WorkFolders } },
        );
    });
});

describe("A service that has ended its last export", () => {
    it("closes its exporter and its builder, if they have anything to close", async () => {
        let closed = 0;
        const builder = { close: () => Promise.resolve(void (closed += 1)) } as unknown as SiteBuilder;
        await withQueue(
            async ({ queue, exporter }) => {
                await queue.startAlone();
                await queue.close();
                assert.deepEqual([exporter.closed, closed], [true, 1]);
            },
            { parts: { builder } },
        );
        const exporter: Exporter = { export: () => Promise.reject(new Error("unused")) };
        await withQueue(({ queue }) => queue.close(), { parts: { exporter } });
    });
});

describe("The end of an export, as the service counts it,", () => {
    it("has the time that the export waited for its first run, and its number of pages", async () => {
        await withEnds(async (queue, ends, clock) => {
            const { jobId } = await queue.store.create({ domain });
            clock.now = 4000;
            await completed(queue, jobId);
            await queue.store.rebuild(jobId);
            queue.queue.wake();
            (await queue.exporter.nth(2)).fail(new Error("No pages."));
            await queue.ended(jobId);
            await queue.queue.close();
            assert.deepEqual(ends, [
                { outcome: "completed", pageCount: 3, waitedMs: 3000 },
                { outcome: "failed", pageCount: 0, waitedMs: undefined },
            ]);
        });
    });

    it("has no negative time if the clock was set back", async () => {
        await withEnds(async (queue, ends, clock) => {
            const { jobId } = await queue.store.create({ domain });
            clock.now = 400;
            await completed(queue, jobId);
            await queue.queue.close();
            assert.deepEqual(ends, [{ outcome: "completed", pageCount: 3, waitedMs: 0 }]);
        });
    });

    it("says that the export was put back, which the log does not mention", async () => {
        await withEnds(async ({ store, queue, exporter, infos }, ends) => {
            await store.create({ domain });
            await queue.startAlone();
            await exporter.nth(1);
            await queue.close();
            assert.deepEqual([ends, infos.length], [[{ outcome: "requeued", pageCount: 0, waitedMs: 0 }], 1]);
        });
    });
});

describe("The cache of pages", () => {
    it("is fetched before an export and stored after it, but not of a preview or a failed export", async () => {
        const asked: string[][] = [];
        const caches = {
            restore: (name: string, folder: string) => Promise.resolve(void asked.push(["restore", name, folder])),
            keep: (name: string, folder: string) => Promise.resolve(void asked.push(["keep", name, folder])),
        };
        let prunes = 0;
        const pruneCaches = () => Promise.resolve(void (prunes += 1));
        await withRepository(
            async (_site, queue) => {
                const { jobId } = await queue.store.create({ domain });
                await completed(queue, jobId);
                await queue.store.create({ domain: previewed, preview });
                await queue.store.create({ domain: "other.example.com" });
                queue.queue.wake();
                await (await queue.exporter.nth(2)).complete();
                (await queue.exporter.nth(3)).fail(new Error("No pages."));
                await queue.queue.close();
                const folders = queue.exporter.begun.map(({ request }) => request.cacheDir);
                assert.deepEqual(asked, [
                    ["restore", domain, folders[0]],
                    ["keep", domain, folders[0]],
                    ["restore", "other.example.com", folders[2]],
                ]);
                assert.equal(prunes, 3);
            },
            { parts: { caches, pruneCaches } },
        );
    });
});
