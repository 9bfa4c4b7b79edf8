import assert from "node:assert/strict";
import { appendFile, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readCheckedFile } from "../../../../exporter/src/read/files/checked-file.js";
import { StrictError } from "../../../../exporter/src/index.js";
import { exportSite } from "../../../../exporter/src/write/export-site.js";
import { listFiles, withFolder, writeFiles, type Files } from "../../support/site-fixture.js";

const site: Files = { "index.md": "# Home\n\n[a](/a) [gone](/b)", "a.md": "# A", "c.mdx": "<Note>c</Note>" };

interface Round {
    export(options?: {
        strict?: boolean;
    }): Promise<{ reused: number; warnings: number; contents: Record<string, string> }>;
    write(files: Files): Promise<void>;
    /** Returns the entries of the cache's list. */
    pages(): [key: string, offset: number, length: number][];
    readonly cacheDir: string;
    readonly sourceDir: string;
}

async function withCachedSite(use: (round: Round) => Promise<void>): Promise<void> {
    await withFolder(async (folder) => {
        const sourceDir = join(folder, "site");
        const cacheDir = join(folder, "cache");
        const outDir = join(folder, "out");
        await writeFiles(sourceDir, site);
        await use({
            sourceDir,
            cacheDir,
            pages: () =>
                JSON.parse(String(readCheckedFile(join(cacheDir, "docs.example.com.pages.json")))) as [
                    string,
                    number,
                    number,
                ][],
            write: (files) => writeFiles(sourceDir, files),
            export: async (options = {}) => {
                await rm(outDir, { recursive: true, force: true });
                const { reusedCount, warnings } = await exportSite({
                    sourceDir,
                    outDir,
                    cacheDir,
                    domain: "docs.example.com",
                    ...options,
                });
                const files = await listFiles(outDir);
                const contents = await Promise.all(
                    files.map(async (file) => [file, await readFile(join(outDir, file), "utf8")] as const),
                );
                return { reused: reusedCount, warnings: warnings.length, contents: Object.fromEntries(contents) };
            },
        });
    });
}

describe("the page cache", () => {
    it("removes deleted pages", async () => {
        await withCachedSite(async (round) => {
            await round.export();
            await rm(join(round.sourceDir, "c.mdx"));
            await round.export();
            assert.equal(round.pages().length, 2);
            for (let edit = 0; edit < 5; edit += 1) {
                await round.write({ "a.md": `# A ${edit}` });
                await round.export();
            }
            const kept = round.pages().reduce((sum, [, , length]) => sum + length, 0);
            const { size } = await stat(join(round.cacheDir, "docs.example.com.pages"));
            assert.ok(size <= 2 * kept, `${size} bytes for ${kept}`);
        });
    });

    it("is ignored if its file is damaged, so all pages are rendered again", async () => {
        await withCachedSite(async (round) => {
            const { contents } = await round.export();
            const path = join(round.cacheDir, "docs.example.com.pages");
            const text = await readFile(path, "utf8");
            await writeFile(path, text.replace(/"html"/g, '"html').slice(0, -20));
            const again = await round.export();
            assert.equal(again.reused, 0);
            assert.deepEqual(again.contents, contents);
        });
    });

    it("keeps its previous size after a failed export", async () => {
        await withCachedSite(async (round) => {
            await round.export();
            const path = join(round.cacheDir, "docs.example.com.pages");
            const { size } = await stat(path);
            const pages = Array.from({ length: 10 }, (_, page) => [`more/${page}.md`, "Some text.\n\n".repeat(15_000)]);
            await round.write(Object.fromEntries(pages) as Files);
            await assert.rejects(round.export({ strict: true }), StrictError);
            assert.equal((await stat(path)).size, size);
        });
    });

    it("removes the additions of a killed process when the next export begins", async () => {
        await withCachedSite(async (round) => {
            const { contents } = await round.export();
            const path = join(round.cacheDir, "docs.example.com.pages");
            const { size } = await stat(path);
            await appendFile(path, "x".repeat(1_000_000));
            const again = await round.export();
            assert.equal(again.reused, 3);
            assert.deepEqual(again.contents, contents);
            assert.equal((await stat(path)).size, size);
        });
    });
});
