import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withFolder, withServiceOver } from "../../service/support/running-service.js";

const pages = 300;
/** The dash makes V8 use two bytes for each character: 180 MB for all pages. */
const text = "A line – of output\n".repeat(16_000);
const exportMemoryMegabytes = 128;

describe("A site whose text is larger than the memory of its export", function () {
    this.timeout(300_000);

    it("is exported, because the text of a page is freed before all pages are done", async () => {
        assert.ok((2 * pages * text.length) / 2 ** 20 > 1.3 * exportMemoryMegabytes);
        await withFolder(async (folder) => {
            await mkdir(join(folder, "site"), { recursive: true });
            for (let page = 1; page <= pages; page += 1) {
                await writeFile(join(folder, "site", `page-${page}.md`), `# Page ${page}\n\n~~~text\n${text}~~~\n`);
            }
            await withServiceOver(folder, { exportMemoryMegabytes }, async ({ start, reaches }) => {
                const { pageCount } = await reaches(await start(), "completed");
                assert.equal(pageCount, pages + 1);
            });
        });
    });
});
