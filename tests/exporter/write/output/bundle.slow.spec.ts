import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmod, readdir, readFile, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { extract, type Headers } from "tar-stream";
import { exportSite } from "../../../../exporter/src/write/export-site.js";
import { listFiles, withFolder, writeFiles, type Files } from "../../support/site-fixture.js";

interface Entry {
    readonly header: Headers;
    readonly content: Buffer;
}

async function entriesOf(archive: Buffer): Promise<Entry[]> {
    const entries: Entry[] = [];
    const reader = extract();
    reader.end(gunzipSync(archive));
    for await (const entry of reader) {
        const chunks: Buffer[] = [];
        for await (const chunk of entry) {
            chunks.push(chunk);
        }
        entries.push({ header: entry.header, content: Buffer.concat(chunks) });
    }
    return entries;
}

const domain = "docs.example.com";
const longFolder = "long/".repeat(40);
const site: Files = {
    "index.md": "# Home\n\n[start](/guides/start)",
    "guides/start.md": `# Start\n\n${"start ".repeat(5000)}`,
    "guides/index.md": "# Guides",
    "empty.txt": "",
    [`${longFolder}page.md`]: "# Long",
    [`${"x".repeat(120)}.txt`]: "no slash",
    "prüfung.md": "# P",
    "large.bin": "0123456789".repeat(250_000),
    "photo.png": "not really ".repeat(200_000),
};

async function withSite(files: Files, use: (sourceDir: string, folder: string) => Promise<void>): Promise<void> {
    await withFolder(async (folder) => {
        await writeFiles(join(folder, "site"), files);
        await use(join(folder, "site"), folder);
    });
}

describe("exportSite", () => {
    it("packs the same files as an export to a folder, and returns the size and digest", async () => {
        await withSite(site, async (sourceDir, folder) => {
            const outDir = join(folder, "out");
            const archivePath = join(folder, "bundle.tar.gz");
            await exportSite({ sourceDir, outDir, domain });
            const { sizeBytes, sha256, pageCount } = await exportSite({ sourceDir, archivePath, domain });
            const archive = await readFile(archivePath);
            assert.equal(pageCount, 5);
            assert.equal(sizeBytes, archive.length);
            assert.equal(sha256, createHash("sha256").update(archive).digest("hex"));
            const entries = await entriesOf(archive);
            const files = await listFiles(outDir);
            assert.deepEqual(entries.map(({ header }) => header.name).sort(), files);
            for (const { header, content } of entries) {
                assert.ok(content.equals(await readFile(join(outDir, header.name))), header.name);
            }
        });
    });

    it("packs similar files next to each other: pages first, then their Markdown", async () => {
        const pages = Object.fromEntries(["a", "b", "c"].map((name) => [`${name}.md`, `# ${name}\n`]));
        await withSite(pages, async (sourceDir, folder) => {
            const archivePath = join(folder, "bundle.tar.gz");
            await exportSite({ sourceDir, archivePath, domain });
            const names = (await entriesOf(await readFile(archivePath))).map(({ header }) => header.name);
            assert.deepEqual(
                names.filter((name) => /^[abc]\./.test(name)),
                ["a.html", "b.html", "c.html", "a.md", "b.md", "c.md"],
            );
        });
    });

    it("changes a file's time only if its content changes, so unchanged files keep their ETags", async () => {
        await withSite(site, async (sourceDir, folder) => {
            const archivePath = join(folder, "bundle.tar.gz");
            const timesOf = async () => {
                await exportSite({ sourceDir, archivePath, domain });
                const entries = await entriesOf(await readFile(archivePath));
                return new Map(entries.map(({ header }) => [header.name, header.mtime?.getTime() ?? 0]));
            };
            const before = await timesOf();
            await writeFiles(sourceDir, { "large.bin": "1123456789".repeat(250_000), "guides/index.md": "# Guidez" });
            const after = await timesOf();
            assert.ok([...after.values()].every((time) => time > Date.parse("2001-11-01") && time < Date.now()));
            const changed = [...after].filter(([file, time]) => before.get(file) !== time).map(([file]) => file);
            assert.ok(changed.includes("large.bin") && changed.includes("guides.html"), changed.join(" "));
            assert.ok(!changed.includes("photo.png") && !changed.includes("empty.txt"), changed.join(" "));
        });
    });

    it("reveals nothing about the machine: no owner, a single mode, and no gzip timestamp", async () => {
        await withSite(site, async (sourceDir, folder) => {
            const archivePath = join(folder, "bundle.tar.gz");
            await exportSite({ sourceDir, archivePath, domain });
            const archive = await readFile(archivePath);
            assert.deepEqual([...archive.subarray(0, 10)], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
            for (const { header } of await entriesOf(archive)) {
                const { mode, uid, gid, uname, gname, type } = header;
                assert.deepEqual(
                    { mode, uid, gid, uname, gname, type },
                    { mode: 0o644, uid: 0, gid: 0, uname: "", gname: "", type: "file" },
                );
            }
        });
    });

    it("produces identical bytes regardless of the files' times, modes and creation order", async () => {
        await withSite(site, async (sourceDir, folder) => {
            const other = join(folder, "other");
            await writeFiles(other, Object.fromEntries(Object.entries(site).reverse()));
            await utimes(join(other, "index.md"), 1, 1);
            await chmod(join(other, "large.bin"), 0o600);
            const first = await exportSite({ sourceDir, archivePath: join(folder, "1.tar.gz"), domain });
            const second = await exportSite({ sourceDir: other, archivePath: join(folder, "2.tar.gz"), domain });
            assert.equal(first.sha256, second.sha256);
        });
    });

    it("reports a full disk, and leaves nothing behind", async function () {
        if (process.platform !== "linux") {
            this.skip();
        }
        await withSite({ "index.md": "# Home" }, async (sourceDir, folder) => {
            await symlink("/dev/full", join(folder, "bundle.tar.gz.partial"));
            const archivePath = join(folder, "bundle.tar.gz");
            await assert.rejects(exportSite({ sourceDir, archivePath, domain }), { code: "ENOSPC" });
            assert.deepEqual(await readdir(folder), ["site"]);
        });
    });

    it("leaves nothing behind if the site is invalid or the export is aborted", async () => {
        await withSite({ "index.md": "# Home\n\n[gone](/gone)" }, async (sourceDir, folder) => {
            const archivePath = join(folder, "bundle.tar.gz");
            await assert.rejects(exportSite({ sourceDir, archivePath, domain, strict: true }), /leads to no page/);
            const stop = new AbortController();
            const onProgress = () => stop.abort(new Error("stop"));
            await assert.rejects(exportSite({ sourceDir, archivePath, domain, signal: stop.signal, onProgress }), {
                message: "stop",
            });
            assert.deepEqual(await readdir(folder), ["site"]);
        });
    });
});
