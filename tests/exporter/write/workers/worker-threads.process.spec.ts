import assert from "node:assert/strict";
import { join } from "node:path";
import { type Worker } from "node:worker_threads";
import { SiteError } from "../../../../exporter/src/problems/site-error.js";
import { exportSite } from "../../../../exporter/src/write/export-site.js";
import { IdleWorkers } from "../../../../exporter/src/write/workers/page-workers.js";
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
            assert.deepEqual([one.threads, two.threads], [0, 1]);
            assert.deepEqual(two.facts, one.facts);
            assert.ok(two.bundle.equals(one.bundle));
        });
    });

    it("takes the threads of the last export of its process, whatever its site and cache, and writes the same bytes", async () => {
        await withFolder(async (folder) => {
            await writeFiles(join(folder, "a", "site"), mixedSite(310));
            await writeFiles(join(folder, "b", "site"), { ...mixedSite(320), "guides/p4.mdx": "# Another" });
            const idleWorkers = new IdleWorkers();
            const cached = (site: string) => ({ idleWorkers, cacheDir: join(folder, site, "cache") });
            const first = await exportWith(join(folder, "a"), 2, cached("a"));
            const second = await exportWith(join(folder, "b"), 2, cached("b"));
            assert.deepEqual([first.threads, second.threads], [1, 0]);
            const alone = await exportWith(join(folder, "b"), 1);
            assert.deepEqual(second.facts, alone.facts);
            assert.ok(second.bundle.equals(alone.bundle));
        });
    });

    it("leaves no thread that is still busy to the next export", async () => {
        await withFolder(async (folder) => {
            await writeFiles(join(folder, "site"), mixedSite(310));
            const idleWorkers = new IdleWorkers();
            const abort = new AbortController();
            const onProgress = ({ pagesDone }: { pagesDone: number }) =>
                pagesDone === 40 && abort.abort(new Error("no"));
            await assert.rejects(
                exportWith(folder, 2, { idleWorkers, signal: abort.signal, onProgress }),
                /^Error: no$/,
            );
            assert.equal(idleWorkers.take(), undefined);
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
                [-1],
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
