import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmod, mkdir, readdir, readFile, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { extract, type Header } from "tar-stream";
import { createBundle } from "../../../service/src/site/index.js";
import { withFolder, writeFiles, type Files } from "./site-fixture.js";

async function entriesOf(archive: Buffer): Promise<{ header: Header; text: string }[]> {
    const entries: { header: Header; text: string }[] = [];
    const reader = extract();
    reader.end(gunzipSync(archive));
    for await (const entry of reader) {
        const chunks: Buffer[] = [];
        for await (const chunk of entry) {
            chunks.push(chunk as Buffer);
        }
        entries.push({ header: entry.header, text: Buffer.concat(chunks).toString() });
    }
    return entries;
}

const files: Files = {
    "index.html": "home",
    "guides/start.html": "start".repeat(5000),
    "guides.html": "guides",
    "empty.txt": "",
    [`${"long/".repeat(40)}page.html`]: "long",
    "prüfung.html": "p",
};

describe("createBundle", () => {
    it("packs every file of the folder, sorted, and says size and digest", async () => {
        await withFolder(async (folder) => {
            await writeFiles(join(folder, "in"), files);
            const archivePath = join(folder, "bundle.tar.gz");
            const { sizeBytes, sha256 } = await createBundle(join(folder, "in"), archivePath);
            const archive = await readFile(archivePath);
            assert.equal(sizeBytes, archive.length);
            assert.equal(sha256, createHash("sha256").update(archive).digest("hex"));
            const entries = await entriesOf(archive);
            assert.deepEqual(Object.fromEntries(entries.map(({ header, text }) => [header.name, text])), files);
            assert.deepEqual(
                entries.map(({ header }) => header.name),
                Object.keys(files).sort(),
            );
        });
    });

    it("gives the same bytes whatever the files' times, modes and order of creation are", async () => {
        await withFolder(async (folder) => {
            const one = join(folder, "one");
            const two = join(folder, "two");
            await writeFiles(one, files);
            await writeFiles(two, Object.fromEntries(Object.entries(files).reverse()));
            await utimes(join(two, "index.html"), 1, 1);
            await chmod(join(two, "guides.html"), 0o600);
            await mkdir(join(two, "empty-folder"));
            const first = await createBundle(one, join(folder, "1.tar.gz"));
            const second = await createBundle(two, join(folder, "2.tar.gz"));
            assert.equal(first.sha256, second.sha256);
        });
    });

    it("gives bytes that no machine, system or release of Node changes", async () => {
        await withFolder(async (folder) => {
            await writeFiles(join(folder, "in"), { "a.html": "<p>a</p>".repeat(1000), "b/c.txt": "c" });
            const { sha256 } = await createBundle(join(folder, "in"), join(folder, "bundle.tar.gz"));
            assert.equal(sha256, "b3d5f101f7050e0839e06c74d2ea52f8827af1bb00364fbfbb597abff60aba50");
        });
    });

    it("gives other bytes when a file's name or content is another", async () => {
        await withFolder(async (folder) => {
            const variants: Files[] = [{ a: "1" }, { a: "2" }, { b: "1" }];
            const digests = new Set<string>();
            for (const [index, variant] of variants.entries()) {
                await writeFiles(join(folder, `in${index}`), variant);
                digests.add((await createBundle(join(folder, `in${index}`), join(folder, `${index}.tar.gz`))).sha256);
            }
            assert.equal(digests.size, 3);
        });
    });

    it("packs no links", async () => {
        await withFolder(async (folder) => {
            await writeFiles(join(folder, "in"), { "a.txt": "a" });
            await symlink("/etc/passwd", join(folder, "in/b.txt"));
            const archivePath = join(folder, "bundle.tar.gz");
            await createBundle(join(folder, "in"), archivePath);
            assert.deepEqual(
                (await entriesOf(await readFile(archivePath))).map(({ header }) => header.name),
                ["a.txt"],
            );
        });
    });

    it("tells how many files it has packed", async () => {
        await withFolder(async (folder) => {
            await writeFiles(join(folder, "in"), { "a.txt": "a", "b.txt": "b" });
            const told: object[] = [];
            await createBundle(join(folder, "in"), join(folder, "bundle.tar.gz"), {
                onProgress: (progress) => told.push(progress),
            });
            assert.deepEqual(told, [
                { filesDone: 1, filesTotal: 2 },
                { filesDone: 2, filesTotal: 2 },
            ]);
        });
    });

    it("leaves nothing behind when the folder is missing or packing is aborted", async () => {
        await withFolder(async (folder) => {
            await assert.rejects(createBundle(join(folder, "missing"), join(folder, "bundle.tar.gz")), /ENOENT/);
            await writeFiles(join(folder, "in"), files);
            const signal = AbortSignal.abort(new Error("stop"));
            const aborted = createBundle(join(folder, "in"), join(folder, "bundle.tar.gz"), { signal });
            await assert.rejects(aborted);
            assert.deepEqual(await readdir(folder), ["in"]);
        });
    });
});
