import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { OnFile, WrittenFile } from "../../../sdk/src/bundle/site-writer.js";
import { createTarGz } from "../support/archives.js";
import { page, unpack } from "../support/unpack.js";

describe("A gzipped tar archive is unpacked", () => {
    const entries = [
        { name: "./index.html", content: "<h1>Hi" },
        { name: "guides/start.html", content: "start" },
        { name: "Ünï/côde.html", content: "ü" },
        { name: "empty.txt", content: "" },
    ];
    const expected = {
        "index.html": "<h1>Hi",
        guides: "(folder)",
        "guides/start.html": "start",
        Ünï: "(folder)",
        "Ünï/côde.html": "ü",
        "empty.txt": "",
    };
    it("with any characters in its names", async () => {
        await unpack(await createTarGz(entries), async ({ result, tree }) => {
            assert.deepEqual(await result, { fileCount: 4, unpackedBytes: 13 });
            assert.deepEqual(await tree(), expected);
        });
    });

    it("with entries for folders, even if a name is longer than a tar header allows", async () => {
        const long = `${"d".repeat(120)}/${"f".repeat(120)}.html`;
        const archive = await createTarGz([
            { name: "docs/", type: "directory" },
            { name: long, content: "x" },
        ]);
        await unpack(archive, async ({ result, tree }) => {
            assert.equal((await result).fileCount, 1);
            assert.deepEqual(Object.keys(await tree()).sort(), ["d".repeat(120), long, "docs"].sort());
        });
    });

    it("at each limit: 64 levels, a name of 255 bytes, and as many files as allowed", async () => {
        const names = [`${"d/".repeat(63)}f.html`, `${"ü".repeat(125)}.html`, "./a/.//b.html"];
        const limits = { maxBytes: 2_000_000, maxFiles: 67 };
        await unpack(await createTarGz(names.map((name) => ({ name, content: "x" }))), ({ result }) => result.then(), {
            limits,
        });
    });

    it("with each folder counted once", async () => {
        const archive = await createTarGz(["a/b/c.html", "a/d/e.html", "a/d/f.html"].map((name) => ({ name })));
        const limits = { maxBytes: 100_000, maxFiles: 6 };
        await unpack(archive, async ({ result }) => assert.equal((await result).fileCount, 3), { limits });
    });

    it("with pages, if pages are required", async () => {
        const limits = { maxBytes: 100_000, maxFiles: 6, requirePages: true };
        const archive = await createTarGz([{ name: "a.txt" }, { name: "b.html" }]);
        await unpack(archive, async ({ result }) => assert.equal((await result).fileCount, 2), { limits });
    });

    it("with correct digests for its small files", async () => {
        const archive = await createTarGz([
            { name: "./docs/a.html", content: "a" },
            { name: "large.bin", content: Buffer.alloc(300_000) },
            { name: "link.html", type: "symlink", linkname: "docs/a.html" },
        ]);
        const files: Record<string, WrittenFile> = {};
        const onFile: OnFile = (path, file) => (files[path] = file);
        const limits = { maxBytes: 1_000_000, maxFiles: 20 };
        await unpack(archive, async ({ result }) => assert.equal((await result).fileCount, 3), { limits, onFile });
        const digest = createHash("sha256").update("a").digest("hex");
        assert.deepEqual(files, { "docs/a.html": { digest, sizeBytes: 1 } });
    });

    it("with many files, both large and small", async () => {
        const content = (i: number) => Buffer.alloc(i % 10 === 0 ? 300_000 + i : i, i);
        const files = Array.from({ length: 60 }, (_, i) => ({ name: `${i % 7}/${i}.bin`, content: content(i) }));
        await unpack(
            await createTarGz(files),
            async ({ result, root }) => {
                assert.equal((await result).fileCount, 60);
                for (const file of files) {
                    assert.ok((await readFile(join(root, file.name))).equals(file.content), file.name);
                }
            },
            { limits: { maxBytes: 10_000_000, maxFiles: 100 } },
        );
    });

    it("without the file modes of the archive", async () => {
        await unpack(await createTarGz([{ ...page, mode: 0o6777 }]), async ({ result, root }) => {
            await result;
            const { mode } = await stat(join(root, "index.html"));
            assert.equal(mode & 0o7133, 0, mode.toString(8));
        });
    });

    it("with links inside the bundle as copies of their targets, in any order", async () => {
        const archive = await createTarGz([
            { name: "latest/a.html", type: "symlink", linkname: "../v1/a.html" },
            { name: "chain.html", type: "symlink", linkname: "latest/a.html" },
            { name: "hard.html", type: "link", linkname: "v1/a.html" },
            { name: "v1/a.html", content: "a" },
        ]);
        await unpack(archive, async ({ result, tree }) => {
            assert.deepEqual(await result, { fileCount: 4, unpackedBytes: 4 });
            const files = await tree();
            assert.deepEqual([files["latest/a.html"], files["chain.html"], files["hard.html"]], ["a", "a", "a"]);
        });
    });
});
