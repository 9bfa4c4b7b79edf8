import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { exportWith, mixedSite } from "../../support/many-pages.js";
import { withFolder, writeFiles } from "../../support/site-fixture.js";

const pages = 620;

/** Gives `use` a folder with a site of many pages. */
async function withSite(use: (folder: string) => Promise<void>): Promise<void> {
    await withFolder(async (folder) => {
        await writeFiles(join(folder, "site"), mixedSite(pages));
        await use(folder);
    });
}

describe("An export of many pages with several threads", function () {
    this.timeout(600_000);

    before(function () {
        if (typeof process.threadCpuUsage !== "function") {
            this.skip();
        }
    });

    for (const privatePages of ["leave-out", "keep-apart", "publish"] as const) {
        it(`writes the same bytes for 1, 2 and 4 threads with private pages: ${privatePages}`, async () => {
            await withSite(async (folder) => {
                const one = await exportWith(folder, 1, { privatePages });
                for (const cores of [2, 4]) {
                    const many = await exportWith(folder, cores, { privatePages });
                    assert.equal(many.threads, cores - 1);
                    assert.deepEqual(many.facts, one.facts);
                    assert.ok(many.bundle.equals(one.bundle));
                }
            });
        });
    }

    it("fills the cache so that the next export, with any number of threads, renders only changed pages", async () => {
        await withSite(async (folder) => {
            const caches = [1, 4].map((cores) => ({ cores, cacheDir: join(folder, `cache-${cores}`) }));
            for (const { cores, cacheDir } of caches) {
                await exportWith(folder, cores, { cacheDir });
            }
            writeFileSync(join(folder, "site", "guides", "p9.mdx"), "# Changed\n");
            const [afterOne, afterFour] = [
                await exportWith(folder, 4, { cacheDir: join(folder, "cache-1") }),
                await exportWith(folder, 1, { cacheDir: join(folder, "cache-4") }),
            ];
            const { reusedCount } = afterOne.facts as { reusedCount: number };
            assert.ok(reusedCount > 600, `${reusedCount}`);
            assert.deepEqual(afterFour.facts, afterOne.facts);
            assert.ok(afterFour.bundle.equals(afterOne.bundle));
        });
    });

    it("fails with the error of one thread, and ends all threads", async () => {
        await withSite(async (folder) => {
            // The parser calls itself for each level.
            writeFileSync(join(folder, "site", "guides", "p300.mdx"), `${">".repeat(20_000)} deep\n`);
            const files: (string | undefined)[] = [];
            const onPage = (file: string | undefined) => void files.push(file);
            await assert.rejects(exportWith(folder, 2, { onPage }), /Maximum call stack size exceeded/);
            assert.equal(files.at(-1), "guides/p300.mdx");
        });
    });

    it("stops when it is aborted, and ends all threads", async () => {
        await withSite(async (folder) => {
            const abort = new AbortController();
            let last = 0;
            const onProgress = ({ pagesDone }: { pagesDone: number }) => {
                last = pagesDone;
                if (pagesDone === 40) {
                    abort.abort(new Error("enough"));
                }
            };
            await assert.rejects(exportWith(folder, 2, { signal: abort.signal, onProgress }), /^Error: enough$/);
            assert.equal(last, 40);
        });
    });
});
