/**
 * Exports sites of different sizes and shapes, and fails when a page costs more in a large site than in a small one.
 * See bench/README.md for the model and the figures.
 */
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { runOnLinux } from "../run-on-linux.js";
import { withProjectFolder } from "../site/builders/project-folder.js";
import { Corpus, type Shape } from "../site/corpus.js";
import { type MeasuredExport, measureExport, measureExports } from "../site/measured-export.js";
import { formatGrowth, type Cost, type ExportCost, growthProblems, laterProblems, memoryProblems } from "./growth.js";
import { help, type Options, parseOptions } from "./options.js";

await runOnLinux(help, parseOptions, measureGrowth);

async function measureGrowth({ sizes, shapes, maxGrowth }: Options): Promise<void> {
    const problems: string[] = [];
    for (const shape of shapes) {
        const costs: Cost[] = [];
        for (const size of sizes) {
            const cost = await costOf(size, shape);
            costs.push(cost);
            console.log(formatGrowth(shape, cost, costs[0] as Cost));
        }
        problems.push(
            ...growthProblems(shape, costs, maxGrowth),
            ...laterProblems(shape, costs),
            ...memoryProblems(shape, costs),
        );
    }
    if (problems.length > 0) {
        throw new Error(problems.join("\n"));
    }
}

/**
 * Measures a first export, and an export after a change to one page in the same process. Then measures an export without
 * changes, and another one after a change to one page, in a new process each.
 */
async function costOf(size: number, shape: Shape): Promise<Cost> {
    const corpus = new Corpus(size, shape);
    const place = { prefix: join(tmpdir(), "bench-growth-"), pages: "pages" };
    return withProjectFolder(place, corpus, async (folder, sourceDir) => {
        let jobs = 0;
        const job = () => ({ sourceDir, workDir: join(folder, `work-${++jobs}`), cacheDir: join(folder, "cache") });
        const costIn = async ({ usage, pageCount, archivePath, sizeBytes }: MeasuredExport): Promise<ExportCost> => {
            if (pageCount !== size) {
                throw new Error(`${shape}: ${pageCount} pages were exported instead of ${size}.`);
            }
            const siteBytes = await unpackedBytes(archivePath);
            await rm(dirname(archivePath), { recursive: true });
            return { ...usage, siteBytes, archiveBytes: sizeBytes };
        };
        const afterChange = async () => {
            await corpus.changeOnePage(sourceDir);
            return job();
        };
        const [first, again] = await measureExports([() => Promise.resolve(job()), afterChange]);
        const costs = {
            pages: size,
            first: await costIn(first as MeasuredExport),
            oneChangedInSameProcess: await costIn(again as MeasuredExport),
            unchanged: await costIn(await measureExport(job())),
        };
        return { ...costs, oneChanged: await costIn(await measureExport(await afterChange())) };
    });
}

async function unpackedBytes(archivePath: string): Promise<number> {
    let bytes = 0;
    await pipeline(createReadStream(archivePath), createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) {
            bytes += chunk.length;
        }
    });
    return bytes;
}
