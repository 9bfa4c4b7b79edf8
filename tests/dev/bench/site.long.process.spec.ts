import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { checkChange, checkOutput } from "../../../dev/bench/site/check-output.js";
import { Corpus } from "../../../dev/bench/site/corpus.js";
import { runMeasured } from "../../../dev/bench/site/measured-process.js";
import { ourBuilder } from "../../../dev/bench/site/builders.js";
import { formatTable } from "../../../dev/bench/site/table.js";

const main = fileURLToPath(new URL("../../../dev/bench/site/main.ts", import.meta.url));
const run = (...args: string[]) => promisify(execFile)(process.execPath, ["--import=tsx", main, ...args]);

/** The full benchmark, `npm run bench site`, measures 1000 pages, and builds them with Hugo for comparison. */
describe("the benchmark of a whole site build", function () {
    this.timeout(60_000);

    before(function () {
        if (process.platform !== "linux") {
            this.skip();
        }
    });

    it("measures a first export, an export of the same pages, and an export after changing one page", async () => {
        const { stdout } = await run("--pages", "5", "--alone", "--runs", "1", "--cores", "1");

        const wall = String.raw`[\d.]+ s \([\d.]+ s – [\d.]+ s\) \| [\d.]+`;
        const figures = String.raw`\| ${wall} \| [\d.]+ s \| [\d.]+ \| [\d.]+ \| [1-9]\d* MB \|`;
        for (const what of ["", ": nothing changed", ": one page changed"]) {
            assert.match(stdout, new RegExp(`^\\| static-export, with its archive, 1 core${what} ${figures}$`, "m"));
        }
    });

    it("describes its options", async () => {
        const { stdout } = await run("--help");

        assert.match(stdout, /--pages <numbers>[^]*--cores <numbers>[^]*--runs <number>[^]*--alone/);
    });

    it("explains an invalid option in one sentence, and exits", async () => {
        await assert.rejects(run("--pages", "none"), {
            code: 1,
            stderr: "--pages must be a whole number from 1 on, got none.\n",
        });
    });

    it("accepts a build only if it contains every page with its headings, colours and changes", async () => {
        const corpus = new Corpus(3);
        await ourBuilder(1).withProject(corpus, async (project) => {
            const { outDir } = await project.build();
            const file = join(outDir, "group-0/page-2.html");
            const html = await readFile(file, "utf8");
            const change = await corpus.changeOnePage(project.pagesDir);

            await checkOutput(outDir, corpus);
            await assert.rejects(checkChange(outDir, change), /^Error: group-0\/page-1: the change is missing$/);
            await writeFile(file, html.replace(/<span[^>]*>/g, ""));
            await assert.rejects(checkOutput(outDir, corpus), /page-2: its code is not highlighted$/);
            await writeFile(file, html.replace(/Section 7 of page 2/g, ""));
            await assert.rejects(checkOutput(outDir, corpus), /page-2: there is no heading "Section 7 of page 2"$/);
            await rm(file);
            await assert.rejects(checkOutput(outDir, corpus), /no such file/);
        });
    });

    it("includes the time and the memory of child processes", async () => {
        const folder = await mkdtemp(join(tmpdir(), "bench-site-spec-"));
        try {
            const busy =
                "const kept = Buffer.alloc(200e6, 1); const spent = process.cpuUsage;" +
                "while (spent().user + spent().system < 300e3);";
            const script = join(folder, "parent.mjs");
            const child = JSON.stringify(["-e", busy]);
            await writeFile(
                script,
                `import { spawn } from "node:child_process"; spawn(process.execPath, ${child}, { stdio: "inherit" });`,
            );
            const { cpuSeconds, peakMegabytes } = await runMeasured({ args: [script], cwd: folder });

            assert.ok(peakMegabytes > 200, `${peakMegabytes} MB`);
            assert.ok(cpuSeconds >= 0.3, `${cpuSeconds} s of CPU time`);
        } finally {
            await rm(folder, { recursive: true, force: true });
        }
    });

    it("shows the output of a failed build instead of a measurement", async () => {
        const failing = runMeasured({ args: ["-e", "console.error('no such page'); process.exit(3)"], cwd: tmpdir() });

        await assert.rejects(failing, /ended with 3:\s+no such page/);
    });

    it("compares the builds of each round, and reports the median of the ratios", () => {
        const usages = (...walls: number[]) =>
            walls.map((wallSeconds) => ({ wallSeconds, cpuSeconds: wallSeconds, peakMegabytes: 10 * wallSeconds }));

        const table = formatTable([{ what: "it", usages: usages(2, 8, 9), comparedTo: usages(1, 2, 9) }]);

        assert.match(
            table,
            /\| it \| 8\.00 s \(2\.00 s – 9\.00 s\) \| 2\.00 \| 8\.00 s \| 2\.00 \| 1\.00 \| 90 MB \|$/,
        );
    });
});
