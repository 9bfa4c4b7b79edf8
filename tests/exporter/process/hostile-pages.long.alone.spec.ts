import assert from "node:assert/strict";
import { join } from "node:path";
import { exportSite } from "../../../exporter/src/write/export-site.js";
import { withExport, withFolder, writeFiles } from "../support/site-fixture.js";
import { hostilePages, type HostilePage } from "../support/hostile-pages.js";
import { scaled } from "../../scale.js";

/**
 * `npm run test:all` tests pages of up to 64 KB. The MDX parser takes more than linear time for larger pages, so the
 * time limit would stop the parser.
 */
const largest = scaled({ short: 16_000, long: 64_000 });

/** Uses CPU time, which other work on the machine affects less than elapsed time. */
async function costMs(name: string, { file, source }: HostilePage, size: number): Promise<number> {
    return withFolder(async (folder) => {
        await writeFiles(folder, { [`site/${file}`]: source(size) });
        const before = process.cpuUsage();
        try {
            await exportSite({
                sourceDir: join(folder, "site"),
                outDir: join(folder, "out"),
                domain: "docs.example.com",
            });
        } catch (error) {
            // The export refuses the page and names it, or fails because the page is nested too deeply.
            assert.match(String(error), /^(SiteError: index\.mdx?:|RangeError: Maximum call stack)/, name);
        }
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000;
    });
}

describe("Front matter of more than 32,000 characters", () => {
    it("is left out with a warning, because YAML takes quadratic time", async () => {
        await withExport({ "index.md": `---\n${"k: a\n".repeat(8000)}---\n# Home\n` }, (site) => {
            assert.match(String(site.warnings[0]?.reason), /^the front matter has more than 32000 characters/);
        });
    });
});

describe("An MDX page that leaves more than 500 tags open", () => {
    it("is read as Markdown with a warning, because the MDX parser takes quadratic time", async () => {
        const closed = "<b>a</b>\n\n".repeat(600);
        await withExport({ "open.mdx": "<b>a\n\n".repeat(600), "closed.mdx": closed }, (site) => {
            const reason = "the page is read as Markdown, because it leaves more than 500 tags open";
            assert.deepEqual(
                site.warnings.map(({ file, reason }) => ({ file, reason })),
                [{ file: "open.mdx", reason }],
            );
        });
    });
});

describe("A page with hostile content", function () {
    this.timeout(120_000);

    for (const [name, page] of Object.entries(hostilePages)) {
        it(`is rendered in linear time: ${name}`, async () => {
            for (const size of [largest / 2, largest]) {
                let smaller = await costMs(name, page, size / 2);
                let larger = await costMs(name, page, size);
                // Quadratic work slows down every attempt; a busy machine slows down only some attempts. Each retry
                // measures both sizes, alternately.
                for (let retry = 0; retry < 4 && larger >= 3 * smaller + 100; retry += 1) {
                    smaller = await costMs(name, page, size / 2);
                    larger = await costMs(name, page, size);
                }
                // Twice the size takes four times as long if the work is quadratic.
                assert.ok(larger < 3 * smaller + 100, `${size} characters: ${larger} ms, half of them: ${smaller} ms`);
            }
        });
    }
});
