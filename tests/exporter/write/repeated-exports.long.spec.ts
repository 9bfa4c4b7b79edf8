import assert from "node:assert/strict";
import { withRepeatedExports, writeFiles, type Files } from "../support/site-fixture.js";

const pages = Array.from({ length: 10 }, (_, page) => [
    `p/page-${String(page).padStart(2, "0")}.mdx`,
    `---\ntitle: Page ${page}\n---\n\nimport Part from "/snippets/part.mdx";\n\n[next](./page-${page + 1}) text ${page}\n\n${page === 9 ? "<Part/>" : ""}`,
]);
const site: Files = {
    "index.md": "# Home\n\n[code](/code.tsx)",
    "snippets/part.mdx": "part",
    "code.tsx": "code",
    "snippets/names.json": "[",
    "broken.mdx":
        'import names from "/snippets/names.json"\nimport Later from "/snippets/later.mdx"\n\n<Later/>{names[0]}',
    "docs.json": JSON.stringify({
        name: "Site",
        navigation: { pages: ["index", "broken", ...pages.map(([file]) => file?.replace(".mdx", ""))] },
    }),
    ...(Object.fromEntries(pages) as Files),
};

/**
 * Changes the site, exports it with the cache of the last export, and compares the result with an export without a
 * cache.
 */
type Again = (change: Files, options?: { version?: string }) => Promise<number>;

async function withExports(use: (again: Again) => Promise<void>): Promise<void> {
    await withRepeatedExports(site, async ({ sourceDir, again: exportAgain }) => {
        const again = async (change: Files, options = {}) => {
            await writeFiles(sourceDir, change);
            const { kept, fresh } = await exportAgain(options, options);
            assert.deepEqual(kept.warningCounts, fresh.warningCounts);
            assert.deepEqual(kept.warnings, fresh.warnings);
            return kept.reusedCount;
        };
        await again({});
        await use(again);
    });
}

describe("an export with the cache of the previous export", () => {
    const changes: Record<string, [Files, number]> = {
        "nothing changed": [{}, 12],
        "a page's text changed": [{ "p/page-04.mdx": "---\ntitle: Page 4\n---\n\nNew text." }, 11],
        "a page's title changed": [{ "p/page-04.mdx": "---\ntitle: Renamed\n---\n\nText." }, 11],
        "a page links no more to a file that is published only for links": [{ "index.md": "# Home" }, 11],
        "an imported file changed": [{ "snippets/part.mdx": "another part" }, 2],
        "an imported file was repaired": [{ "snippets/names.json": '["name"]' }, 11],
        "an imported file came": [{ "snippets/later.mdx": "later" }, 11],
        "a picture was added": [{ "new.png": "new" }, 12],
        "a page came that links led to": [{ "p/page-10.mdx": "# Page 10" }, 11],
        "the settings changed": [{ "docs.json": (site["docs.json"] as string).replace("Site", "Other") }, 12],
    };
    for (const [what, [change, reused]] of Object.entries(changes)) {
        it(`is identical to an export without a cache: ${what}`, async () => {
            await withExports(async (again) => {
                assert.equal(await again(change), reused);
                assert.ok((await again({})) >= 12);
            });
        });
    }

    it("shows a new version on every page", async () => {
        await withExports(async (again) => {
            assert.equal(await again({}, { version: "2" }), 12);
        });
    });
});
