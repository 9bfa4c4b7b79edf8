import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { withExport } from "../../support/site-fixture.js";

const guide = readFileSync(
    fileURLToPath(new URL("../../../../docs/guides/readers-and-agents.md", import.meta.url)),
    "utf8",
);

/** Whole sections of up to 30,000 characters, so that the page is long but independent of the guide's size. */
const longPage = guide.slice(0, guide.lastIndexOf("\n## ", 30_000));

describe("the first view of a page", () => {
    it("loads less than 30 kB compressed: the page, its styles, its script and the feature switches", async () => {
        await withExport({ "guides/long.mdx": longPage }, async (site) => {
            const page = await site.read("guides/long.html");
            const needed = [...page.matchAll(/<(?:link rel="stylesheet" href|script src)="([^"]+)"/g)];
            assert.equal(needed.length, 3);
            const files = needed.map(([, href]) =>
                readFileSync(join(site.outDir, dirname("guides/long.html"), href ?? "")),
            );
            const sizes = [Buffer.from(page), ...files].map((content) => gzipSync(content).length);
            const total = sizes.reduce((sum, size) => sum + size, 0);
            assert.ok(total < 30_000, `${total} bytes: ${sizes.join(", ")}`);
        });
    });
});
