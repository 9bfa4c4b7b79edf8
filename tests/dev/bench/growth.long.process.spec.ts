import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Cost, growthProblems, laterProblems, memoryProblems } from "../../../dev/bench/growth/growth.js";
import { parseOptions } from "../../../dev/bench/growth/options.js";
import { Corpus, shapes } from "../../../dev/bench/site/corpus.js";

const main = fileURLToPath(new URL("../../../dev/bench/growth/main.ts", import.meta.url));
const run = (...args: string[]) => promisify(execFile)(process.execPath, ["--import=tsx", main, ...args]);

function costOf(pages: number, perPage: { site: number; archive: number; cpu: number; megabytes?: number }): Cost {
    const cost = {
        siteBytes: perPage.site * pages,
        archiveBytes: perPage.archive * pages,
        cpuSeconds: perPage.cpu * pages,
        wallSeconds: 1,
        peakMegabytes: perPage.megabytes ?? 100,
    };
    return { pages, first: cost, unchanged: cost, oneChanged: cost, oneChangedInSameProcess: cost };
}

/** `npm run bench growth` measures 500 to 20,000 pages. */
describe("the benchmark of the cost per page", function () {
    this.timeout(60_000);

    it("measures each shape and size, with the ratio to the smallest site", async function () {
        if (process.platform !== "linux") {
            this.skip();
        }
        const { stdout } = await run("--sizes", "2,12", "--shapes", "flat,deep", "--max", "1000");

        const first = String.raw`[\d.]+ kB \(1\.00\) and [\d.]+ kB in the archive \(1\.00\) a page`;
        const later = String.raw`unchanged [\d.]+, one page changed [\d.]+, or [\d.]+ in the same process$`;
        for (const shape of ["flat", "deep"]) {
            assert.match(stdout, new RegExp(`^${shape} 2 pages: ${first}, [\\d.]+ ms of CPU time.*${later}`, "m"));
            assert.match(stdout, new RegExp(`^${shape} 12 pages: `, "m"));
        }
    });

    it("fails only if the cost grows by more than the limit", () => {
        const small = costOf(500, { site: 100, archive: 10, cpu: 1 });
        const large = costOf(2000, { site: 114, archive: 12, cpu: 0.9 });

        assert.deepEqual(growthProblems("flat", [small, large], 1.15), [
            "flat, 2000 pages against 500: bytes of the archive a page grew 1.20 times",
        ]);
        assert.deepEqual(growthProblems("flat", [small, large], 1.21), []);
    });

    it("fails if memory grows with the number of pages, or exceeds the limit", () => {
        const using = (pages: number, megabytes: number) => costOf(pages, { site: 1, archive: 1, cpu: 1, megabytes });

        assert.deepEqual(growthProblems("flat", [using(500, 100), using(1000, 240)], 1.15), [
            "flat, 1000 pages against 500: memory a page grew 1.20 times",
        ]);
        assert.deepEqual(memoryProblems("flat", [using(500, 1024), using(1000, 1025)]), [
            "flat, 1000 pages: an export took 1025 MB, at most 1024 are allowed",
        ]);
    });

    it("fails if a repeated export costs more than a tenth of a full export", () => {
        const taking = (pages: number, unchanged: number, oneChanged: number, inSameProcess: number): Cost => {
            const cost = costOf(pages, { site: 1, archive: 1, cpu: 1 });
            const share = (of: number) => ({ ...cost.first, cpuSeconds: pages * of });
            return {
                ...cost,
                unchanged: share(unchanged),
                oneChanged: share(oneChanged),
                oneChangedInSameProcess: share(inSameProcess),
            };
        };

        assert.deepEqual(laterProblems("deep", [taking(500, 0.2, 0.2, 0.2), taking(2000, 0.11, 0.12, 0.13)]), [
            "deep, 2000 pages: unchanged, they took 0.11 of a full export",
            "deep, 2000 pages: one page changed, in the same process, they took 0.13 of a full export",
        ]);
        assert.deepEqual(laterProblems("deep", [taking(20_000, 0.1, 0.12, 0.1)]), [
            "deep, 20000 pages: one page changed, they took 0.12 of a full export",
        ]);
        assert.deepEqual(laterProblems("deep", [taking(20_000, 0.1, 0.1, 0.1)]), []);
    });

    it("reports each cost that grew, and fails", async function () {
        if (process.platform !== "linux") {
            this.skip();
        }
        await assert.rejects(run("--sizes", "2,3", "--shapes", "flat", "--max", "0.01"), {
            code: 1,
            stderr: /^flat, 3 pages against 2: bytes of the site a page grew [\d.]+ times\nflat, .*archive/,
        });
    });

    it("compares 200,000 pages only on request", () => {
        assert.deepEqual(parseOptions([])?.sizes, [500, 2000, 20_000]);
        assert.deepEqual(parseOptions(["--large"])?.sizes, [500, 2000, 20_000, 200_000]);
        assert.throws(() => parseOptions(["--sizes", "1"]), /--sizes must be whole numbers from 2 on/);
        assert.throws(() => parseOptions(["--shapes", "round"]), /--shapes knows flat, grouped, deep, got round/);
    });

    it("covers pages in one folder, in many folders, and in nested folders", () => {
        const last = Object.fromEntries(shapes.map((shape) => [shape, new Corpus(200, shape).routes.at(-1)]));
        assert.deepEqual(last, {
            flat: "page-199",
            grouped: "group-4/page-199",
            deep: "part-1/part-5/part-24/page-199",
        });
    });
});
