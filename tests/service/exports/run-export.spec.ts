import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { type BundleStorage } from "../../../service/src/storage/bundle-storage.js";
import { withQueue } from "../support/running-queue.js";
import { domain } from "../support/running-service.js";
import { completed, failed, preview, previewed, withRepository } from "./support/repository-site.js";

describe("An export", () => {
    it("gets what the client asked for, and the service's defaults", async () => {
        await withQueue(async (queue) => {
            await queue.store.create({ domain, version: "2", paths: ["guides"] });
            await queue.queue.startAlone();
            const { sourceDir, workDir, cacheDir, excludedDirs, ...others } = (await queue.exporter.nth(1)).request;
            assert.deepEqual(others, {
                ...{ domain, version: "2", paths: ["guides"] },
                ...{ strict: false, deployment: "client-hosted", answer: false },
            });
            assert.deepEqual(
                [basename(sourceDir), basename(workDir), basename(cacheDir), excludedDirs.length],
                ["site", "export", domain, 1],
            );
        });
    });

    it("gets the operator's settings", async () => {
        const settings = { strict: true, deployment: "air-gapped", answer: true, privatePages: "publish" } as const;
        await withQueue(
            async ({ store, queue, exporter }) => {
                await store.create({ domain });
                await queue.startAlone();
                const { sourceDir, workDir, cacheDir, excludedDirs, ...others } = (await exporter.nth(1)).request;
                assert.deepEqual(others, { domain, basePath: "help", ...settings });
                assert.ok(sourceDir !== workDir && cacheDir !== "" && excludedDirs.length === 1);
            },
            { site: { basePath: "help" }, parts: { settings } },
        );
    });

    it("fails if the service no longer has its site, or the site that it previews", async () => {
        await withQueue(async (queue) => {
            const { jobId } = await queue.store.create({
                domain: previewed,
                preview: { ...preview, of: "gone.example" },
            });
            assert.equal(
                await failed(queue, jobId),
                "Static export is no longer enabled for gone.example on this service.",
            );
        });
    });

    it("logs its steps", async () => {
        await withQueue(async (queue) => {
            const { jobId } = await queue.store.create({ domain });
            await completed(queue, jobId);
            assert.deepEqual(await queue.logOf(jobId), [
                "Attempt 1 begins.",
                "Exports the pages.",
                "Stores the bundle of 7 bytes.",
                "Exported 3 pages.",
            ]);
        });
    });

    it("shows the exporter's progress as its own", async () => {
        await withQueue(async ({ store, queue, exporter }) => {
            const { jobId } = await store.create({ domain });
            await queue.startAlone();
            (await exporter.nth(1)).control.onProgress(50, 5);
            const job = await store.get(jobId);
            assert.deepEqual([job?.progress, job?.pageCount], [50, 5]);
        });
    });

    it("keeps its bundle from being removed while it stores the bundle", async () => {
        let removed = -1;
        let removeUnused: (sha256: string) => Promise<number> = () => Promise.reject(new Error("too early"));
        const bundles: Pick<BundleStorage, "keep"> = {
            keep: async (_path, { sha256 }) => void (removed = await removeUnused(sha256)),
        };
        await withQueue(
            async (queue) => {
                removeUnused = (sha256) => queue.store.whileUnused([sha256], () => Promise.resolve());
                const { jobId } = await queue.store.create({ domain });
                await completed(queue, jobId);
            },
            { parts: { bundles: bundles as BundleStorage } },
        );
        assert.equal(removed, 0);
    });

    it("that restores a damaged bundle must produce the same bundle", async () => {
        for (const [content, status, error] of [
            ["archive", "completed", null],
            ["other", "failed", "The bundle was damaged, and the site has changed since: start a new export."],
        ] as const) {
            await withQueue(async (queue) => {
                const { jobId } = await queue.store.create({ domain });
                await completed(queue, jobId);
                await queue.store.rebuild(jobId);
                queue.queue.wake();
                await (await queue.exporter.nth(2)).complete(content);
                assert.equal(await queue.ended(jobId), status);
                assert.equal((await queue.store.get(jobId))?.error, error);
            });
        }
    });

    it("of a preview keeps no cache, and that of a site does", async () => {
        const cacheDirs: string[] = [];
        await withRepository(async (site, queue) => {
            site.commit = "c1";
            const { jobId } = await queue.store.create({ domain: previewed, preview });
            await completed(queue, jobId);
            const second = await queue.store.create({ domain });
            queue.queue.wake();
            await (await queue.exporter.nth(2)).complete();
            await queue.ended(second.jobId);
            cacheDirs.push(...queue.exporter.begun.map(({ request }) => request.cacheDir));
            assert.deepEqual(
                cacheDirs.map((folder) => existsSync(folder)),
                [false, true],
            );
            assert.deepEqual(
                queue.exporter.begun.map(({ request }) => request.domain),
                [previewed, domain],
            );
        });
    });

    it("of a branch fails if its site is now a folder", async () => {
        await withQueue(async (queue) => {
            const { jobId } = await queue.store.create({ domain: previewed, preview });
            assert.equal(
                await failed(queue, jobId),
                `Site ${domain} is now a folder and has no branches: job ${jobId} cannot preview one.`,
            );
        });
    });
});
