import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { checkChange, checkOutput } from "../../../dev/bench/site/check-output.js";
import { Corpus } from "../../../dev/bench/site/corpus.js";
import { ourBuilder } from "../../../dev/bench/site/builders.js";

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
});
