import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import type { BundleLimits } from "../../../sdk/src/bundle/site-writer.js";
import { BundleError, type BundleProblem } from "../../../sdk/src/errors/index.js";
import { createTar, createTarGz, type TarEntry } from "../support/archives.js";
import { rejectionOf } from "../support/client.js";
import { page, unpack } from "../support/unpack.js";

async function assertRefused(
    archive: Buffer,
    problem: BundleProblem,
    message: RegExp,
    limits?: BundleLimits,
): Promise<void> {
    await unpack(
        archive,
        async ({ result }) => {
            const error = await rejectionOf<BundleError>(result);
            assert.ok(error instanceof BundleError, String(error));
            assert.equal(error.problem, problem);
            assert.match(error.message, message);
        },
        limits && { limits },
    );
}

describe("An archive is refused", () => {
    for (const [what, name] of [
        ["an absolute path", "/etc/passwd"],
        ["..", "../evil.html"],
        [".. in the middle", "a/b/../../../evil.html"],
        [".. that stays inside", "a/../index.html"],
        ["a drive letter", "C:/evil.html"],
        ["a drive letter without a separator", "c:evil.html"],
        ["backslashes", "..\\evil.html"],
        ["a network path", "\\\\host\\share\\evil.html"],
        ["a control character", "a\u0007b.html"],
        ["a line break", "a\n-rw-r--r-- 0/0 1 2026-01-01 00:00 b.html"],
        ["a segment too long for file systems", "x".repeat(256)],
        ["more folders than a site needs", `${"d/".repeat(64)}f.html`],
    ] as const) {
        it(`with ${what}`, async () => {
            await assertRefused(
                await createTarGz([page, { name, content: "evil" }]),
                "unsafe-path",
                /^Bundle refused: the entry "/,
            );
        });
    }

    for (const [what, entry] of [
        ["an absolute link", { type: "symlink", linkname: "/etc/passwd" }],
        ["a link that leaves the folder", { type: "symlink", linkname: "../../outside" }],
        ["a link that leaves the folder and comes back", { type: "symlink", linkname: "../../site/index.html" }],
        ["a link with a drive letter", { type: "symlink", linkname: "C:/outside" }],
        ["a link with backslashes", { type: "symlink", linkname: "..\\outside" }],
        ["a link to nowhere", { type: "symlink", linkname: "missing.html" }],
        ["a link without a target", { type: "symlink", linkname: "" }],
        ["a link to itself", { type: "symlink", linkname: "link" }],
        ["a link to a folder", { type: "symlink", linkname: "." }],
        ["a hard link that leaves the folder", { type: "link", linkname: "../../outside" }],
        ["an absolute hard link", { type: "link", linkname: "/etc/passwd" }],
        ["a hard link to nowhere", { type: "link", linkname: "missing.html" }],
    ] as [string, Partial<TarEntry>][]) {
        it(`with ${what}`, async () => {
            await assertRefused(
                await createTarGz([page, { name: "d/link", ...entry }]),
                "unsafe-link",
                /the link "d\/link"/,
            );
        });
    }

    it("with a file below a link, so that nothing is written through links", async () => {
        const archive = await createTarGz([
            { name: "v1/a.html", content: "a" },
            { name: "d", type: "symlink", linkname: "v1/a.html" },
            { name: "d/evil.html", content: "evil" },
        ]);
        await assertRefused(archive, "duplicate-entry", /conflicts/);
    });

    for (const type of ["fifo", "character-device", "block-device", "contiguous-file"] as const) {
        it(`with a ${type}`, async () => {
            await assertRefused(
                await createTarGz([page, { name: "dev", type }]),
                "unsafe-entry",
                /is not a file, folder or link/,
            );
        });
    }

    for (const [what, entries] of [
        ["two files of one name", [page, page]],
        ["two files of one name, spelt differently", [page, { ...page, name: "./index.html" }]],
        ["a file in place of a folder", [{ name: "a/b.html" }, { name: "a" }]],
        ["a folder in place of a file", [{ name: "a" }, { name: "a/b.html" }]],
        ["a file in place of an empty folder", [{ name: "a/", type: "directory" }, { name: "a" }]],
    ] as [string, TarEntry[]][]) {
        it(`with ${what}`, async () => {
            await assertRefused(await createTarGz(entries), "duplicate-entry", /conflicts/);
        });
    }

    it("with two links of the same name, or a link that replaces a file", async () => {
        const link: TarEntry = { name: "link", type: "symlink", linkname: "index.html" };
        await assertRefused(await createTarGz([page, link, link]), "duplicate-entry", /conflicts/);
        await assertRefused(await createTarGz([page, { ...page, name: "link" }, link]), "duplicate-entry", /conflicts/);
    });

    it("with more bytes than the limit, in one file or in total", async () => {
        const large = { name: "large.bin", content: Buffer.alloc(200_001) };
        const half = (name: string) => ({ name, content: Buffer.alloc(120_000) });
        for (const entries of [[large], [half("a"), half("b")]]) {
            await assertRefused(await createTarGz(entries), "too-many-bytes", /unpacks to more than 200000 bytes/);
        }
    });

    it("with empty files or folders that take more room than the limit", async () => {
        for (const type of ["file", "directory"] as const) {
            const entries = Array.from({ length: 300 }, (_, i) => ({ name: `${i}`, type, content: "" }));
            const limits = { maxBytes: 1024 * 1024, maxFiles: 1000 };
            await assertRefused(await createTarGz(entries), "too-many-bytes", /more than 1048576 bytes/, limits);
        }
    });

    it("with links that multiply a file beyond the limit", async () => {
        const links = Array.from({ length: 9 }, (_, i) => ({ name: `l${i}`, type: "link" as const, linkname: "big" }));
        const archive = await createTarGz([{ name: "big", content: Buffer.alloc(40_000) }, ...links]);
        await assertRefused(archive, "too-many-bytes", /unpacks to more than 200000 bytes/);
    });

    it("with more files and folders than the limit, including folders without entries", async () => {
        const files = Array.from({ length: 21 }, (_, i) => ({ name: `${i}.html` }));
        const folders = Array.from({ length: 11 }, (_, i) => ({ name: `${i}/index.html` }));
        const again = Array.from({ length: 21 }, () => ({ name: "a/", type: "directory" as const }));
        for (const entries of [files, folders, again]) {
            await assertRefused(await createTarGz(entries), "too-many-files", /more than 20 files and folders/);
        }
    });

    it("with more links than the limit", async () => {
        const links = Array.from({ length: 20 }, (_, i) => ({
            name: `l${i}`,
            type: "link" as const,
            linkname: "index.html",
        }));
        await assertRefused(await createTarGz([page, ...links]), "too-many-files", /more than 20 files and folders/);
    });

    it("with a file or a link that names the folder itself", async () => {
        for (const entry of [
            { name: "./", content: "x", type: "file" as const },
            { name: ".", type: "symlink" as const, linkname: "index.html" },
        ]) {
            await assertRefused(await createTarGz([page, entry]), "unsafe-path", /names no file/);
        }
    });

    it("with endless padding, which unpacks to nothing", async () => {
        const padded = gzipSync(Buffer.concat([await createTar([page]), Buffer.alloc(3 * 1024 * 1024)]));
        await assertRefused(padded, "too-many-bytes", /unpacks to more than 200000 bytes/);
        await assertRefused(padded, "corrupt", /has too much padding/, { maxBytes: 2 ** 30, maxFiles: 20 });
    });

    it("that declares more bytes in a header than it contains", async () => {
        const tar = await createTar([{ name: "a", content: Buffer.alloc(2_000) }]);
        await assertRefused(gzipSync(tar.subarray(0, 1_024)), "corrupt", /incomplete or damaged/);
    });

    it("that is truncated at any position", async () => {
        const noise = Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * i * 31 + i * 7) % 251));
        const entries = [page, { name: "noise.bin", content: noise }];
        const archive = await createTarGz(entries);
        for (const share of [0.3, 0.6, 0.99]) {
            const start = archive.subarray(0, Math.floor(archive.length * share));
            await assertRefused(start, "corrupt", /incomplete or damaged/);
        }
    });

    it("whose bytes have been changed", async () => {
        const gz = await createTarGz([{ name: "a", content: "some words, and some more words" }]);
        gz.writeUInt32LE(1, gz.length - 8);
        await assertRefused(gz, "corrupt", /incomplete or damaged/);
    });

    it("that contains no files", async () => {
        await assertRefused(await createTarGz([{ name: "docs/", type: "directory" }]), "corrupt", /has no files/);
    });

    for (const [what, content] of [
        ["nothing", ""],
        ["an HTML page", "<!doctype html><p>Access denied"],
        ["a zip archive", "PK\x03\x04"],
        ["half a gzip signature", "\x1f"],
    ] as const) {
        it(`that is ${what}`, async () => {
            await assertRefused(
                Buffer.from(content, "latin1"),
                "not-an-archive",
                /the bundle is not a gzipped tar archive \(\.tar\.gz\)/,
            );
        });
    }

    it("that is in tar format but not in gzip", async () => {
        await assertRefused(await createTar([page]), "not-an-archive", /is not a gzipped tar archive/);
    });

    it("that is in gzip but not in tar format", async () => {
        await assertRefused(gzipSync("x".repeat(2_000)), "corrupt", /incomplete or damaged/);
    });

    it("with the signal's reason when the signal is aborted", async () => {
        const reason = new Error("stop");
        await unpack(await createTarGz([page]), async ({ result }) => assert.equal(await rejectionOf(result), reason), {
            signal: AbortSignal.abort(reason),
        });
    });
});
