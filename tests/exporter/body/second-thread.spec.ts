import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { BodiesAhead } from "../../../exporter/src/body/bodies-ahead.js";
import { exportSite } from "../../../exporter/src/index.js";
import { PageCache } from "../../../exporter/src/plan/page-cache.js";
import { planSite, type SitePlan } from "../../../exporter/src/plan/site-plan.js";
import { ModuleLoader } from "../../../exporter/src/script/module-loader.js";
import { listFiles, withFolder, writeFiles, type Files } from "../support/site-fixture.js";

const domain = "docs.example.com";
const features = { search: true, tryIt: true };
const yieldToEventLoop = () => Promise.resolve();

/** Worth a second thread. */
const manyPages = 200;

const shared: Files = { "parts/part.mdx": "**Number {number}**\n", "picture.png": "no picture" };

function pages(count: number): Files {
    return Object.fromEntries(
        Array.from({ length: count }, (_, number) => [
            `page-${String(number).padStart(3, "0")}.mdx`,
            `import Part from "/parts/part.mdx";\n\n# Page ${number}\n\n<Part number={${number}} />\n\n` +
                `[A picture](/picture.png), [a page](/page-000), [nothing](/missing-${number})\n\n<Unknown${number} />\n`,
        ]),
    );
}

interface Taken {
    /** Pages that were rendered, or waited for, in this thread. */
    readonly here: readonly string[];
    /** Pages that were rendered ahead, wherever. */
    readonly ahead: readonly string[];
}

/** Asks for the pages of a site one after the other. */
async function takeAll(
    files: Files,
    { isKnown = () => false, onTaken }: { isKnown?: () => boolean; onTaken?: (ahead: BodiesAhead) => void } = {},
): Promise<Taken> {
    const here: string[] = [];
    const taken: string[] = [];
    await withPlan(files, async (plan) => {
        const modules = new ModuleLoader(plan.content);
        const icons = { library: "fontawesome" } as const;
        const ahead = new BodiesAhead(
            plan,
            { modules, icons, targets: plan.targets, features, apiDisplay: {} },
            isKnown,
        );
        try {
            for (const [number, page] of plan.pages.entries()) {
                await ahead.ready(number, { onPage: (file) => here.push(file), yieldToEventLoop });
                if (ahead.take(page) !== undefined) {
                    taken.push(page.file);
                }
                onTaken?.(ahead);
            }
        } finally {
            ahead.close();
        }
    });
    return { here, ahead: taken };
}

async function withPlan(files: Files, use: (plan: SitePlan) => Promise<void>): Promise<void> {
    await withFolder(async (siteDir) => {
        await writeFiles(siteDir, files);
        const cache = await PageCache.open(undefined, domain, "");
        const options = { siteDir, excludedDirs: [], domain, paths: undefined, features, cache, clock: Date.now };
        await use(await planSite({ ...options, yieldToEventLoop, onPage: undefined }));
    });
}

describe("A site of many new pages", function () {
    this.timeout(60_000);

    it("is rendered by a second thread as well, where the machine has a second core", async function () {
        if (availableParallelism() === 1) {
            this.skip();
        }
        const { here, ahead } = await takeAll(pages(manyPages));
        assert.ok(
            ahead.some((file) => !here.includes(file)),
            "every page was rendered here",
        );
    });

    it("has the bytes and the warnings of one that grew until then", async () => {
        await withFolder(async (folder) => {
            const cacheDir = join(folder, "cache");
            const exportTo = async (name: string, count: number, options = {}) => {
                const siteDir = join(folder, "site");
                await writeFiles(siteDir, { ...shared, ...pages(count) });
                return exportSite({ siteDir, outDir: join(folder, name), domain, ...options });
            };
            await exportTo("half", manyPages / 2, { cacheDir });
            const grown = await exportTo("grown", manyPages, { cacheDir });
            const atOnce = await exportTo("at-once", manyPages);

            assert.equal(grown.reusedCount, manyPages / 2 + 1, "with the part");
            assert.deepEqual(grown.warnings, atOnce.warnings);
            assert.deepEqual(grown.warningCounts, atOnce.warningCounts);
            const files = await listFiles(join(folder, "at-once"));
            assert.deepEqual(await listFiles(join(folder, "grown")), files);
            for (const file of files) {
                const one = await readFile(join(folder, "at-once", file));
                assert.ok(one.equals(await readFile(join(folder, "grown", file))), file);
            }
        });
    });

    it("goes on when the second thread ends", async () => {
        let count = 0;
        const { ahead } = await takeAll(pages(manyPages), {
            onTaken: (bodies) => {
                count += 1;
                if (count === manyPages / 2) {
                    bodies.close();
                }
            },
        });
        assert.equal(count, manyPages);
        assert.ok(ahead.length < manyPages);
    });

    it("has pages that could exhaust a thread's stack or memory rendered where they are asked for", async () => {
        const large = { "large.md": "word ".repeat(5000), "nested.md": `${"> ".repeat(700)}word\n` };
        const { ahead } = await takeAll({ ...pages(manyPages), ...large });
        assert.equal(ahead.length, manyPages);
        assert.ok(!ahead.includes("large.md") && !ahead.includes("nested.md"));
    });
});

describe("A site of which the cache knows the pages", () => {
    it("is not rendered ahead", async () => {
        assert.deepEqual(await takeAll(pages(manyPages), { isKnown: () => true }), { here: [], ahead: [] });
    });
});

describe("A site of few pages", () => {
    it("is rendered in one thread", async () => {
        assert.deepEqual(await takeAll(pages(100)), { here: [], ahead: [] });
    });
});
