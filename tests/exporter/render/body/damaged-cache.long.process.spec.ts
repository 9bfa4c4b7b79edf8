import assert from "node:assert/strict";
import { cp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { exportSite } from "../../../../exporter/src/write/export-site.js";
import { flipBit } from "../../support/flipped-bits.js";
import { withRepeatedExports, type Files } from "../../support/site-fixture.js";
import { scaled } from "../../../scale.js";

const numRuns = scaled({ short: 60, long: 400 });

const text = "Some **text** with `code`, and a [link](/a).\n\n".repeat(20);
const site: Files = {
    "docs.json": JSON.stringify({ name: "Site", navigation: { pages: ["index", "a", "b"] } }),
    "index.md": `# Home\n\n${text}`,
    "a.md": `---\ntitle: A title\n---\n\n${text}`,
    "b.mdx": `# B\n\n<Note>\n\n${text}\n\n</Note>\n`,
};

describe("A flipped bit in any file of an export's cache", function () {
    this.timeout(numRuns * 2000);

    it("is not published", async () => {
        await withRepeatedExports(site, async ({ sourceDir, cacheDir, again }) => {
            const whole = `${cacheDir}.whole`;
            await again();
            await cp(cacheDir, whole, { recursive: true });
            const names = await readdir(whole);
            const kinds = ["files", "bundle", "groups", "pages"].map((kind) => `docs.example.com.${kind}`);
            const inOrder = kinds.flatMap((name) => [name, `${name}.json`]);
            assert.deepEqual(names.sort(), inOrder.toSorted());
            const exportWith = async (folder: string | undefined): Promise<string> => {
                const options = { sourceDir, domain: "docs.example.com", archivePath: `${cacheDir}.tar.gz` };
                const cache = folder === undefined ? {} : { cacheDir: folder };
                return (await exportSite({ ...options, ...cache })).sha256;
            };
            const expected = await exportWith(undefined);
            await fc.assert(
                fc.asyncProperty(fc.constantFrom(...names), fc.nat(2 ** 24), async (name, bit): Promise<void> => {
                    await rm(cacheDir, { recursive: true, force: true });
                    await cp(whole, cacheDir, { recursive: true });
                    // The export reads this file only if the preceding kinds of files are missing.
                    const before = inOrder.slice(0, inOrder.indexOf(name.replace(/\.json$/, "")));
                    await Promise.all(before.map((each) => rm(join(cacheDir, each))));
                    await flipBit(join(cacheDir, name), bit);
                    assert.equal(await exportWith(cacheDir), expected);
                }),
                { numRuns },
            );
        });
    });
});
