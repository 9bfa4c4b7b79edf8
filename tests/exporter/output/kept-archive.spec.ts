import assert from "node:assert/strict";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withRepeatedExports, writeFiles, type Files } from "../support/site-fixture.js";

const domain = "docs.example.com";

/** Three parts of pages. */
const pages = Array.from({ length: 70 }, (_, page) => [
    `p/page-${String(page).padStart(2, "0")}.mdx`,
    `---\ntitle: Page ${page}\n---\n\nimport Part from "/snippets/part.mdx";\n\n[next](./page-${page + 1}) text ${page}\n\n${page === 69 ? "<Part/>" : ""}`,
]);
const site: Files = {
    "index.md": "# Home\n\n[code](/code.tsx)",
    "snippets/part.mdx": "part",
    "code.tsx": "code",
    "docs.json": JSON.stringify({
        name: "Site",
        navigation: { pages: ["index", ...pages.map(([file]) => file?.replace(".mdx", ""))] },
    }),
    ...(Object.fromEntries(pages) as Files),
};

interface Exports {
    /** Exports beside the last export, and compares with an export that has none. */
    readonly again: (change: Files, options?: { version?: string }) => Promise<{ reused: number }>;
    readonly siteDir: string;
    readonly cacheDir: string;
}

async function withExports(use: (exports: Exports) => Promise<void>): Promise<void> {
    await withRepeatedExports(site, async ({ siteDir, cacheDir, again: exportAgain }) => {
        const again = async (change: Files, options = {}) => {
            await writeFiles(siteDir, change);
            const { kept, fresh } = await exportAgain(options, options);
            assert.deepEqual(kept.warningCounts, fresh.warningCounts);
            assert.deepEqual(kept.warnings, fresh.warnings);
            return { reused: kept.reusedCount };
        };
        await again({});
        await use({ again, siteDir, cacheDir });
    });
}

describe("an export beside the archive of the last one", () => {
    const changes: Record<string, [Files, number]> = {
        "nothing changed": [{}, 71],
        "a page's text changed": [{ "p/page-40.mdx": "---\ntitle: Page 40\n---\n\nNew text." }, 70],
        "a page's title changed": [{ "p/page-40.mdx": "---\ntitle: Renamed\n---\n\nText." }, 70],
        "a page links no more to a file that is published only for links": [{ "index.md": "# Home" }, 70],
        "an imported file changed": [{ "snippets/part.mdx": "another part" }, 1],
        "a picture was added": [{ "new.png": "new" }, 71],
        "a page came that links led to": [{ "p/page-70.mdx": "# Page 70" }, 70],
        "the settings changed": [{ "docs.json": (site["docs.json"] as string).replace("Site", "Other") }, 71],
    };
    for (const [what, [change, reused]] of Object.entries(changes)) {
        it(`is the same to the byte as one from nothing: ${what}`, async () => {
            await withExports(async ({ again }) => {
                assert.equal((await again(change)).reused, reused);
                assert.equal((await again({})).reused >= 71, true);
            });
        });
    }

    it("shows another version on every page", async () => {
        await withExports(async ({ again }) => {
            assert.equal((await again({}, { version: "2" })).reused, 71);
        });
    });

    it("keeps one archive", async () => {
        await withExports(async ({ again, cacheDir }) => {
            await again({ "index.md": "# New home" });
            await again({ "index.md": "# Newer home" });
            assert.equal((await readdir(cacheDir)).filter((file) => file.endsWith(".archive")).length, 1);
        });
    });

    it("costs only time when the archive or its index is damaged", async () => {
        await withExports(async ({ again, cacheDir }) => {
            const files = await readdir(cacheDir);
            const archive = join(cacheDir, files.find((file) => file.endsWith(".archive")) ?? "");
            const bytes = await readFile(archive);
            bytes.fill(0, 2000, bytes.length - 2000);
            await rm(archive);
            await writeFile(archive, bytes);
            assert.equal((await again({ "index.md": "# New" })).reused, 70);
            await writeFile(join(cacheDir, `${domain}.archive.jsonl`), "{");
            assert.equal((await again({ "index.md": "# Newer" })).reused, 70);
            await writeFile(join(cacheDir, `${domain}.pages`), "");
            await rm(join(cacheDir, `${domain}.archive.jsonl`));
            assert.equal((await again({})).reused, 0);
        });
    });
});
