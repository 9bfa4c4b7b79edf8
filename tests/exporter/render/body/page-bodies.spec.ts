import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { exportSite } from "../../../../exporter/src/write/export-site.js";
import { listFiles, withFolder, writeFiles, type Files } from "../../support/site-fixture.js";

const shared: Files = { "parts/part.mdx": "**Number {number}**\n", "picture.png": "no picture" };

function pages(count: number): Files {
    return Object.fromEntries(
        Array.from({ length: count }, (_, number) => [
            `page-${number}.mdx`,
            `import Part from "/parts/part.mdx";\n\n# Page ${number}\n\n<Part number={${number}} />\n\n` +
                `[A picture](/picture.png), [a page](/page-0), [nothing](/missing-${number})\n\n<Unknown${number} />\n`,
        ]),
    );
}

describe("A site with new pages", () => {
    it("is exported with the same bytes and warnings as in a full export", async () => {
        await withFolder(async (folder) => {
            const cacheDir = join(folder, "cache");
            const exportTo = async (name: string, count: number, options = {}) => {
                const sourceDir = join(folder, "site");
                await writeFiles(sourceDir, { ...shared, ...pages(count) });
                return exportSite({ sourceDir, outDir: join(folder, name), domain: "docs.example.com", ...options });
            };
            await exportTo("half", 10, { cacheDir });
            const grown = await exportTo("grown", 20, { cacheDir });
            const atOnce = await exportTo("at-once", 20);

            assert.equal(grown.reusedCount, 10 + 1, "with the part");
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
});
