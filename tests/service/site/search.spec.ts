import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createContext, runInContext } from "node:vm";
import { withExport, type Files } from "./site-fixture.js";

type Hit = { address: string; title: string; heading: string };

/** Runs the exported search over an exported site, as a browser would, but without showing anything. */
async function withSearch(files: Files, use: (find: (query: string) => string[]) => void): Promise<void> {
    await withExport(files, async (site) => {
        const window: { staticExportFind?: (query: string) => Hit[] } = {};
        const context = createContext(Object.assign(window, { window }));
        runInContext(await readFile(new URL("../../../service/theme/search.js", import.meta.url), "utf8"), context);
        runInContext(await site.read("static-export/search-data.js"), context);
        use((query) => Array.from(window.staticExportFind?.(query) ?? [], (hit) => hit.address));
    });
}

const files: Files = {
    "index.md": "---\ntitle: Home\ndescription: The beginning\n---\n\nWelcome to the bundle.",
    "guides/bundle.md": "# Bundle\n\nAn archive.\n\n## Renewal\n\nThe link expires after a while. Crème brûlée.\n",
    "guides/other.md": "# Other\n\n## Waiting\n\n```bash\npulumi up --yes\n```\n\nIt waits for the bundles.\n",
};

describe("the search of an export", () => {
    it("finds sections that have every word, and leads to their heading", async () => {
        await withSearch(files, (find) => {
            assert.deepEqual(find("link expires"), ["guides/bundle.html#renewal"]);
            assert.deepEqual(find("link nowhere"), []);
        });
    });

    it("prefers a title to a text", async () => {
        await withSearch(files, (find) => assert.equal(find("bundle")[0], "guides/bundle.html"));
    });

    it("finds parts of words, code, descriptions, and ignores case and accents", async () => {
        await withSearch(files, (find) => {
            assert.deepEqual(find("EXPIR"), ["guides/bundle.html#renewal"]);
            assert.deepEqual(find("--yes"), ["guides/other.html#waiting"]);
            assert.deepEqual(find("beginning"), ["index.html"]);
            assert.deepEqual(find("creme brulee"), ["guides/bundle.html#renewal"]);
        });
    });

    it("forgives one slip in a word that is nowhere", async () => {
        await withSearch(files, (find) => {
            for (const slip of ["expries", "exires", "exxpires", "ezpires"]) {
                assert.deepEqual(find(slip), ["guides/bundle.html#renewal"], slip);
            }
        });
    });

    it("finds nothing for nothing", async () => {
        await withSearch(files, (find) => assert.deepEqual(find("  "), []));
    });

    it("cannot be broken by what a page says", async () => {
        await withSearch({ "index.md": '# A\n\n`</script>` \\u2028 \u2028 `"];`' }, (find) => {
            assert.deepEqual(find("</script>"), ["index.html"]);
        });
    });
});
