import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, readlink, symlink } from "node:fs/promises";
import { join } from "node:path";
import { EntryFile } from "../../../exporter/src/read/files/entry-file.js";
import { exportSite } from "../../../exporter/src/write/export-site.js";
import { withFolder, writeFiles } from "../support/site-fixture.js";

const domain = "docs.example.com";
const yieldToEventLoop = () => Promise.resolve();

async function exportTwice(prepare: (cacheDir: string) => Promise<unknown>): Promise<void> {
    await withFolder(async (folder) => {
        const [sourceDir, cacheDir] = [join(folder, "site"), join(folder, "cache")];
        await mkdir(cacheDir);
        await prepare(cacheDir);
        for (const text of ["# One", "# Two"]) {
            await writeFiles(sourceDir, { "index.md": text, "a.md": "# A" });
            const [withCache, without] = [join(folder, "cached.tar.gz"), join(folder, "plain.tar.gz")];
            await exportSite({ sourceDir, domain, cacheDir, archivePath: withCache });
            await exportSite({ sourceDir, domain, archivePath: without });
            assert.ok((await readFile(withCache)).equals(await readFile(without)));
        }
    });
}

describe("A cache that cannot be saved", () => {
    for (const name of ["pages.json", "groups.json", "bundle", "bundle.json"]) {
        it(`never fails an export, nor changes its archive: ${name}`, async () => {
            // No file can replace a folder.
            await exportTwice((cacheDir) => mkdir(join(cacheDir, `${domain}.${name}`, "folder"), { recursive: true }));
        });
    }

    it("never fails an export on a full disk", async function () {
        if (!existsSync("/dev/full")) {
            this.skip();
        }
        await exportTwice((cacheDir) => symlink("/dev/full", join(cacheDir, `${domain}.pages`)));
    });
});

describe("A file of entries", () => {
    it("is closed before a smaller file replaces it, because Windows does not replace an open file", async function () {
        if (!existsSync("/proc/self/fd")) {
            this.skip();
        }
        await withFolder(async (folder) => {
            const save = async (keys: readonly string[]) => {
                const entries = EntryFile.open(folder, domain, "pages");
                keys.forEach((key) => entries.keep(key, Buffer.from(`content of ${key}`)));
                await entries.save(yieldToEventLoop);
                const open = await openFiles();
                entries.close();
                return open.filter((file) => file.startsWith(folder) && file.endsWith("(deleted)"));
            };
            await save(["a", "b", "c", "d"]);
            assert.deepEqual(await save(["e"]), []);
            const entries = EntryFile.openToRead(folder, domain, "pages");
            assert.deepEqual([entries.get("a"), String(entries.get("e"))], [undefined, "content of e"]);
            entries.close();
        });
    });
});

async function openFiles(): Promise<string[]> {
    const descriptors = await readdir("/proc/self/fd");
    const files = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")));
    return files;
}
