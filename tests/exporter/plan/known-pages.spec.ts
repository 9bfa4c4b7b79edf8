import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withRepeatedExports, writeFiles, type BundleOptions, type Files } from "../support/site-fixture.js";

const site: Files = {
    "docs.json": JSON.stringify({ name: "Site", navigation: { pages: ["index", "a", "b"] } }),
    "index.md": "# Home",
    "a.md": "---\ntitle: A\n---\n\nOne {{product}}.",
    "b.md": "# B\n\nTwo.",
};

interface Exports {
    readonly siteDir: string;
    readonly cacheDir: string;
    /** Which pages an export beside the last one reads or renders. */
    readonly again: (options?: BundleOptions) => Promise<readonly string[]>;
}

async function withExports(use: (exports: Exports) => Promise<void>): Promise<void> {
    await withRepeatedExports(site, async ({ siteDir, cacheDir, again: exportAgain }) => {
        const again = async (options: BundleOptions = {}) => {
            const read = new Set<string>();
            const onPage = (file: string | undefined) => void (file !== undefined && read.add(file));
            await exportAgain({ onPage, ...options });
            return [...read].sort();
        };
        assert.deepEqual(await again(), ["a.md", "b.md", "index.md"]);
        await use({ siteDir, cacheDir, again });
    });
}

describe("a file that has not changed since the last export", () => {
    it("is not read again", async () => {
        await withExports(async ({ again }) => {
            assert.deepEqual(await again(), []);
        });
    });

    it("is read when it changed at its size, with its modification time set back", async () => {
        await withExports(async ({ again, siteDir }) => {
            const file = join(siteDir, "b.md");
            const { atime, mtime } = await stat(file);
            await writeFile(file, "# B\n\nTen.");
            await utimes(file, atime, mtime);
            assert.ok((await again()).includes("b.md"));
        });
    });

    it("is read when it changed so short before the last export that another change might not show", async () => {
        await withExports(async ({ again, siteDir }) => {
            await writeFiles(siteDir, { "b.md": "# B\n\nThree." });
            const { ctimeMs } = await stat(join(siteDir, "b.md"));
            const now = () => Math.ceil(ctimeMs);
            assert.ok((await again({ clock: now })).includes("b.md"));
            assert.ok((await again({ clock: now })).includes("b.md"));
        });
    });

    it("is read when the values of the site's variables changed", async () => {
        await withExports(async ({ again, siteDir }) => {
            const settings = { ...(JSON.parse(site["docs.json"] as string) as object), variables: { product: "P" } };
            await writeFiles(siteDir, { "docs.json": JSON.stringify(settings) });
            assert.deepEqual(await again(), ["a.md", "b.md", "index.md"]);
        });
    });

    it("is read when the list of the last export is damaged", async () => {
        await withExports(async ({ again, cacheDir }) => {
            const name = (await readdir(cacheDir)).find((file) => file.endsWith(".sources.json")) as string;
            const list = await readFile(join(cacheDir, name), "utf8");
            await writeFile(join(cacheDir, name), list.slice(0, -9));
            assert.deepEqual(await again(), ["a.md", "b.md", "index.md"]);
        });
    });

    it("fails the export when it changes meanwhile, instead of mixing two versions of a page", async () => {
        await withExports(async ({ again, siteDir }) => {
            await writeFiles(siteDir, { "a.md": "---\ntitle: Renamed\n---\n" });
            const onProgress = () => writeFileSync(join(siteDir, "b.md"), "# B\n\nChanged meanwhile.");
            const message = /b\.md: the file was replaced while the site was exported/;
            await assert.rejects(() => again({ onProgress }), message);
        });
    });
});
