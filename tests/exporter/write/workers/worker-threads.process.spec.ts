import assert from "node:assert/strict";
import { join } from "node:path";
import { type Worker } from "node:worker_threads";
import { SiteError } from "../../../../exporter/src/problems/site-error.js";
import { exportSite } from "../../../../exporter/src/write/export-site.js";
import { exportWith, mixedSite } from "../../support/many-pages.js";
import { withFolder, writeFiles } from "../../support/site-fixture.js";

/** Whether the version of Node.js reports the CPU time of a thread. */
const hasThreads = typeof process.threadCpuUsage === "function";

describe("An export with several threads", function () {
    this.timeout(120_000);

    before(function () {
        if (!hasThreads) {
            this.skip();
        }
    });

    it("writes the same bytes, and finds the same warnings in the same order", async () => {
        await withFolder(async (folder) => {
            await writeFiles(join(folder, "site"), mixedSite(310));
            const one = await exportWith(folder, 1);
            const two = await exportWith(folder, 2);
            assert.deepEqual([one.threads, two.threads], [0, 2]);
            assert.deepEqual(two.facts, one.facts);
            assert.ok(two.bundle.equals(one.bundle));
        });
    });

    it("ends all threads if the site cannot be planned", async () => {
        await withFolder(async (folder) => {
            const files = { ...mixedSite(310), "docs.json": "{" };
            await writeFiles(join(folder, "site"), files);
            const threads: Worker[] = [];
            const onWorker = (thread: Worker) => void threads.push(thread);
            process.on("worker", onWorker);
            const options = {
                domain: "docs.example.com",
                sourceDir: join(folder, "site"),
                outDir: join(folder, "out"),
            };
            await assert.rejects(exportSite({ ...options, cores: 2 }), SiteError);
            process.off("worker", onWorker);
            assert.deepEqual(
                threads.map(({ threadId }) => threadId),
                [-1, -1],
            );
        });
    });

    it("starts no thread for a small site", async () => {
        await withFolder(async (folder) => {
            await writeFiles(join(folder, "site"), mixedSite(20));
            assert.equal((await exportWith(folder, 8)).threads, 0);
        });
    });
});
