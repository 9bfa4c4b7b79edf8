/**
 * Exports sites of different sizes and shapes, and fails when a page costs more in a large site than in a small one.
 * See bench/README.md for the model and the figures.
 */
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { runOnLinux } from "../run-on-linux.js";
import { withProjectFolder } from "../site-export/builders/project-folder.js";
import { Corpus, type Shape } from "../site-export/corpus.js";
import { measureExport } from "../site-export/measured-export.js";
import { formatGrowth, type Cost, growthProblems, laterProblems, memoryProblems } from "./growth.js";
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

/** Measures a first export, an export without changes, and an export after a change to one page. */
async function costOf(size: number, shape: Shape): Promise<Cost> {
    const corpus = new Corpus(size, shape);
    const place = { prefix: join(tmpdir(), "bench-growth-"), pages: "pages" };
    return withProjectFolder(place, corpus, async (folder, sourceDir) => {
        const measure = async () => {
            const workDir = join(folder, "work");
            const { usage, pageCount, archivePath, sizeBytes } = await measureExport({
                sourceDir,
                workDir,
                cacheDir: join(folder, "cache"),
            });
            if (pageCount !== size) {
                throw new Error(`${shape}: ${pageCount} pages were exported instead of ${size}.`);
            }
            const siteBytes = await unpackedBytes(archivePath);
            await rm(workDir, { recursive: true });
            return { ...usage, siteBytes, archiveBytes: sizeBytes };
        };
        const first = await measure();
        const unchanged = await measure();
        await corpus.changeOnePage(sourceDir);
        const oneChanged = await measure();
        return { pages: size, first, unchanged, oneChanged };
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
