import assert from "node:assert/strict";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { Corpus } from "../../../dev/bench/site/corpus.js";
import { exportSite } from "../../../exporter/src/write/export-site.js";
import { withFolder } from "../support/site-fixture.js";

const pageCount = 3000;

/** CPU seconds of this process and its threads, not time, because the machine may be busy. */
async function cpuSecondsOf(task: () => Promise<unknown>): Promise<number> {
    const before = process.cpuUsage();
    await task();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
}

describe(`An export of ${pageCount} pages with the cache of the last export`, () => {
    it("costs a small part of a full export: nothing if nothing has changed, and little for one page", async () => {
        await withFolder(async (folder) => {
            const corpus = new Corpus(pageCount);
            const sourceDir = join(folder, "pages");
            await corpus.write(sourceDir);
            const exportWith = (cacheDir: string) =>
                exportSite({
                    ...{ sourceDir, domain: "docs.example.com", cacheDir: join(folder, cacheDir) },
                    archivePath: join(folder, "site.tar.gz"),
                });
            // V8 compiles the code in the first exports.
            await exportWith("first");
            const full = await cpuSecondsOf(() => exportWith("second"));
            const nothing = await cpuSecondsOf(() => exportWith("second"));
            const costs: number[] = [];
            for (let round = 0; round < 3; round++) {
                const { route } = await corpus.changeOnePage(sourceDir);
                await utimes(join(sourceDir, `${route}.md`), round, round);
                costs.push(await cpuSecondsOf(() => exportWith("second")));
            }
            const one = Math.min(...costs);
            // Measured: 0.004 and 0.043. If each export reads and parses every page, the second is 0.064.
            assert.ok(nothing < 0.015 * full, `nothing changed: ${(nothing / full).toFixed(3)} of ${full} s`);
            assert.ok(one < 0.055 * full, `one page changed: ${(one / full).toFixed(3)} of ${full} s`);
        });
    });
});
