import assert from "node:assert/strict";
import { mkdir, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import {
    BundleError,
    downloadBundle,
    type DownloadBundleOptions,
    InvalidSettingsError,
} from "@pulumi-static-export/sdk";
import { createTarGz } from "../support/archives.js";
import { rejectionOf } from "../support/client.js";
import { archive, assertFails, assertRefused, query, send, sha256, withDownload } from "../support/download.js";
import { FakeClock } from "../../fake-clock.js";
import { readTree, withFolder } from "../support/files.js";
import { type Reply, text, type TestServer } from "../support/http-server.js";

describe("downloadBundle", () => {
    it("unpacks the archive into a new folder and returns its size, digest and number of files", async () => {
        await withDownload([send(archive)], async ({ run, folder }) => {
            assert.deepEqual(await run(), { sizeBytes: archive.length, sha256, fileCount: 2, unpackedBytes: 11 });
            assert.deepEqual(await readTree(join(folder, "site")), {
                "index.html": "<h1>Hi",
                guides: "(folder)",
                "guides/start.html": "start",
            });
            assert.deepEqual(await readdir(folder), ["site"]);
        });
    });

    it("uses the archive as stored, even if the storage declares gzip as its content encoding", async () => {
        await withDownload([send(archive, { "content-encoding": "gzip" })], async ({ run }) => {
            assert.equal((await run()).sha256, sha256);
        });
    });

    it("uses the archive as stored, although the storage unpacks it for clients that do not accept gzip", async () => {
        const transcoding: Reply = (response, { headers }) =>
            headers["accept-encoding"]?.includes("gzip") === true
                ? response.writeHead(200, { "content-encoding": "gzip" }).end(archive)
                : response.writeHead(200).end(gunzipSync(archive));
        await withDownload([transcoding], async ({ run }) => {
            assert.equal((await run()).sha256, sha256);
        });
    });

    it("uses the archive as stored, although a proxy compresses it on the way", async () => {
        await withDownload([send(gzipSync(archive), { "content-encoding": "gzip" })], async ({ run }) => {
            assert.equal((await run()).sha256, sha256);
        });
    });

    it("sends the link unchanged, without an Authorization header or cookies", async () => {
        await withDownload([send(archive)], async ({ run, server }) => {
            await run();
            const [{ headers, url }] = server.requests as [TestServer["requests"][0]];
            assert.deepEqual(
                [headers.authorization, headers.cookie, url],
                [undefined, undefined, `/se_42.tar.gz${query}`],
            );
        });
    });

    it("creates missing parent folders, and accepts an empty folder", async () => {
        await withDownload([send(archive)], async ({ server, folder }) => {
            const link = `${server.baseUrl}/x`;
            await downloadBundle(link, join(folder, "a", "b", "site"));
            await mkdir(join(folder, "empty"));
            await downloadBundle(link, join(folder, "empty"));
            const expected = ["guides", "index.html"];
            assert.deepEqual((await readdir(join(folder, "a", "b", "site"))).sort(), expected);
            assert.deepEqual((await readdir(join(folder, "empty"))).sort(), expected);
        });
    });

    it("removes the parent folders that it created when it fails", async () => {
        await withDownload([send(Buffer.from("no archive"))], async ({ server, folder }) => {
            await rejectionOf(downloadBundle(`${server.baseUrl}/x`, join(folder, "a", "b", "site")));
            assert.deepEqual(await readdir(folder), []);
        });
    });

    it("keeps a parent folder that it created if another program has put a file there meanwhile", async () => {
        await withFolder(async (folder) => {
            const fetch = async () => {
                await writeFile(join(folder, "a", "mine.txt"), "mine");
                throw new Error("no route");
            };
            const options = { fetch, clock: new FakeClock() };
            await rejectionOf(downloadBundle("https://b.example.com/x", join(folder, "a", "b", "site"), options));
            assert.deepEqual(await readTree(folder), { a: "(folder)", "a/mine.txt": "mine" });
        });
    });

    it("passes on the digests of small files", async () => {
        await withDownload([send(archive)], async ({ run }) => {
            const files: string[] = [];
            await run({ onFile: (file, { sizeBytes }) => files.push(`${file} ${sizeBytes}`) });
            assert.deepEqual(files, ["index.html 6", "guides/start.html 5"]);
        });
    });

    it("creates files that other users can read", async function () {
        if (process.platform === "win32") {
            this.skip();
        }
        await withDownload([send(archive)], async ({ run, folder }) => {
            const umask = process.umask(0o022);
            try {
                await run();
            } finally {
                process.umask(umask);
            }
            assert.equal(((await stat(join(folder, "site"))).mode & 0o777).toString(8), "755");
            assert.equal(((await stat(join(folder, "site", "index.html"))).mode & 0o777).toString(8), "644");
        });
    });
});

describe("downloadBundle with an expected size or digest", () => {
    it("accepts matching values, even in upper case", async () => {
        await withDownload([send(archive)], async ({ run }) => {
            await run({ expectedSha256: sha256.toUpperCase(), expectedSizeBytes: archive.length });
        });
    });

    it("refuses a different digest, and shows both in lower case", async () => {
        await withDownload([send(archive)], async (download) => {
            const error = await assertFails<BundleError>(download, { expectedSha256: "A".repeat(64) });
            assert.equal(error.problem, "digest-mismatch");
            assert.ok(error.message.includes(`SHA-256 is ${sha256} instead of ${"a".repeat(64)}`), error.message);
        });
    });

    it("refuses a different size", async () => {
        await withDownload([send(archive)], (download) =>
            assertRefused(download, "size-mismatch", { expectedSizeBytes: 1 }),
        );
    });

    it("refuses an invalid expected digest without a request", async () => {
        await withDownload([send(archive)], async (download) => {
            for (const expectedSha256 of ["abc", `x${sha256}`, `${sha256}0`]) {
                const error = await assertFails(download, { expectedSha256 });
                assert.ok(error instanceof InvalidSettingsError);
            }
            assert.equal(download.server.requests.length, 0);
        });
    });
});

describe("downloadBundle refuses the following, and leaves nothing behind:", () => {
    it("an archive with an entry outside the folder", async () => {
        const evil = await createTarGz([{ name: "index.html" }, { name: "../../evil.html", content: "evil" }]);
        await withDownload([send(evil)], (download) => assertRefused(download, "unsafe-path"));
    });

    it("an endless archive, as soon as it exceeds the limit", async () => {
        const endless: Reply = (response) => {
            response.writeHead(200).write(archive);
            const write = () => {
                while (!response.destroyed && response.write(Buffer.alloc(65_536, 1))) {
                    // Writes until the socket is full.
                }
            };
            response.on("drain", write);
            write();
        };
        await withDownload([endless], (download) => assertRefused(download, "too-many-bytes", { maxBytes: 1_000_000 }));
    });

    it("an archive that exceeds the archive size limit, even if its content is small", async () => {
        const tight = { maxArchiveBytes: archive.length - 1 };
        await withDownload([send(archive)], (download) => assertRefused(download, "too-many-bytes", tight));
        await withDownload([send(archive)], async ({ run }) => {
            const enough = { maxArchiveBytes: archive.length, maxBytes: 64 * 1024 };
            assert.equal((await run(enough)).unpackedBytes, 11);
        });
    });

    it("symbolic and hard links inside the bundle, if only files and folders are allowed", async () => {
        for (const type of ["symlink", "link"] as const) {
            const page = { name: "index.html", content: "<h1>Hi" };
            const linked = await createTarGz([page, { name: "start.html", type, linkname: "index.html" }]);
            await withDownload([send(linked)], (download) =>
                assertRefused(download, "unsafe-link", { refuseLinks: true }),
            );
            await withDownload([send(linked)], async ({ run }) => assert.equal((await run()).fileCount, 2));
        }
    });

    it("more files than the limit", async () => {
        await withDownload([send(archive)], (download) => assertRefused(download, "too-many-files", { maxFiles: 2 }));
    });

    it("an HTML page instead of an archive", async () => {
        await withDownload([text(200, "<html>Sign in")], (download) => assertRefused(download, "not-an-archive"));
    });

    it("a non-empty folder, a file, and a link to a folder, without changing them", async () => {
        await withDownload([send(archive)], async ({ server, folder }) => {
            const link = `${server.baseUrl}/x`;
            await mkdir(join(folder, "full", "x"), { recursive: true });
            await mkdir(join(folder, "empty"));
            await writeFile(join(folder, "file"), "");
            await symlink("empty", join(folder, "link"));
            const before = await readTree(folder);
            for (const name of ["full", "file", "link"]) {
                const error = await rejectionOf<BundleError>(downloadBundle(link, join(folder, name)));
                assert.ok(error instanceof BundleError, inspect(error));
                assert.equal(error.problem, "folder-in-use");
            }
            assert.deepEqual(await readTree(folder), before);
        });
    });

    it("a non-empty folder and a file, without a request", async () => {
        await withFolder(async (folder) => {
            await mkdir(join(folder, "full", "x"), { recursive: true });
            await writeFile(join(folder, "file"), "");
            const fetch = () => Promise.reject(new Error("no request was expected"));
            for (const name of ["full", "file"]) {
                const downloading = downloadBundle("https://b.example.com/x", join(folder, name), { fetch });
                assert.equal((await rejectionOf<BundleError>(downloading)).problem, "folder-in-use");
            }
        });
    });

    it("a folder that was filled during the download", async () => {
        await withDownload([send(archive)], async ({ server, folder }) => {
            await mkdir(join(folder, "site"));
            const fetch: DownloadBundleOptions["fetch"] = async (url) => {
                await writeFile(join(folder, "site", "mine.txt"), "mine");
                return globalThis.fetch(url);
            };
            const error = await rejectionOf<BundleError>(
                downloadBundle(server.baseUrl, join(folder, "site"), { fetch }),
            );
            assert.equal(error.problem, "folder-in-use");
            assert.deepEqual(await readTree(folder), { site: "(folder)", "site/mine.txt": "mine" });
        });
    });

    for (const [what, link] of [
        ["a file", "file:///etc/passwd?5ignature"],
        ["data", "data:application/gzip;base64,5ignature"],
        ["ftp", "ftp://bucket.example.com/x?5ignature"],
        ["credentials in the link", "https://user:5ignature@bucket.example.com/x"],
        ["what is no address", "se_42.tar.gz?5ignature"],
    ] as const) {
        it(`${what}, without a request`, async () => {
            await withFolder(async (folder) => {
                const fetch = () => Promise.reject(new Error("no request was expected"));
                const error = await rejectionOf<BundleError>(downloadBundle(link, join(folder, "site"), { fetch }));
                assert.equal(error.problem, "unsafe-address", inspect(error));
                assert.doesNotMatch(inspect(error), /5ignature/);
                assert.deepEqual(await readdir(folder), []);
            });
        });
    }
});
