import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";
import {
    BundleError,
    type BundleProblem,
    ConnectionError,
    downloadBundle,
    type DownloadBundleOptions,
    HttpError,
    InvalidSettingsError,
    RequestTimeoutError,
} from "@pulumi-static-export/sdk";
import { createTarGz, createZip } from "./support/archives.js";
import { rejectionOf } from "./support/client.js";
import { createFakeClock } from "./support/fake-clock.js";
import { readTree, withFolder } from "./support/files.js";
import { json, loseConnection, neverAnswer, type Reply, text, type TestServer, withServer } from "./support/http-server.js";

const archive = await createTarGz([
    { name: "index.html", content: "<h1>Hi" },
    { name: "guides/start.html", content: "start" },
]);
const sha256 = createHash("sha256").update(archive).digest("hex");
const query = "?X-Amz-Signature=5ignature";

function send(content: Buffer, headers: Record<string, string> = {}): Reply {
    return (response) => response.writeHead(200, { "content-length": content.length, ...headers }).end(content);
}

interface Download {
    server: TestServer;
    folder: string;
    /** Downloads into `folder`/site on a fake clock. */
    run(options?: DownloadBundleOptions): ReturnType<typeof downloadBundle>;
}

async function withDownload(replies: readonly Reply[], run: (download: Download) => Promise<void>): Promise<void> {
    await withServer(replies, (server) =>
        withFolder(async (folder) => {
            const clock = createFakeClock();
            const download = (options = {}) =>
                downloadBundle(`${server.baseUrl}/se_42.tar.gz${query}`, join(folder, "site"), {
                    clock,
                    random: () => 0,
                    ...options,
                });
            await run({ server, folder, run: download });
        }),
    );
}

/** Rejects, shows nothing of the link's query, and leaves nothing behind. */
async function assertFails<T extends Error>({ run, folder }: Download, options?: DownloadBundleOptions): Promise<T> {
    const before = await readTree(folder);
    const error = await rejectionOf<T>(run(options));
    assert.doesNotMatch(inspect(error, { showHidden: true, depth: 20 }), /5ignature/);
    assert.deepEqual(await readTree(folder), before, "something was left behind");
    return error;
}

async function assertRefused(download: Download, problem: BundleProblem, options?: DownloadBundleOptions): Promise<void> {
    const error = await assertFails<BundleError>(download, options);
    assert.ok(error instanceof BundleError, inspect(error));
    assert.equal(error.problem, problem);
}

describe("downloadBundle", () => {
    it("unpacks the archive into a new folder and tells its size, digest and number of files", async () => {
        await withDownload([send(archive)], async ({ run, folder }) => {
            assert.deepEqual(await run(), { sizeBytes: archive.length, sha256, fileCount: 2, unpackedBytes: 11 });
            assert.deepEqual(await readTree(join(folder, "site")), {
                "index.html": "<h1>Hi",
                guides: "(folder)",
                [join("guides", "start.html")]: "start",
            });
            assert.deepEqual(await readdir(folder), ["site"]);
        });
    });

    it("takes a zip whatever it is called", async () => {
        await withDownload([send(createZip([{ name: "index.html" }]))], async ({ run }) => {
            assert.equal((await run()).fileCount, 1);
        });
    });

    it("takes the archive as it is stored, also when the storage calls gzip its content encoding", async () => {
        await withDownload([send(archive, { "content-encoding": "gzip" })], async ({ run }) => {
            assert.equal((await run()).sha256, sha256);
        });
    });

    it("sends neither an Authorization header nor cookies, and the link as it is", async () => {
        await withDownload([send(archive)], async ({ run, server }) => {
            await run();
            const [{ headers, url }] = server.requests as [TestServer["requests"][0]];
            assert.deepEqual([headers.authorization, headers.cookie, url], [undefined, undefined, `/se_42.tar.gz${query}`]);
        });
    });

    it("makes missing parents, and fills an empty folder", async () => {
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

    it("removes the parents it made when it fails", async () => {
        await withDownload([send(Buffer.from("no archive"))], async ({ server, folder }) => {
            await rejectionOf(downloadBundle(`${server.baseUrl}/x`, join(folder, "a", "b", "site")));
            assert.deepEqual(await readdir(folder), []);
        });
    });

    it("can be read by others than its owner", async function () {
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

describe("downloadBundle checks size and digest when they are given", () => {
    it("and takes what matches, in upper case too", async () => {
        await withDownload([send(archive)], async ({ run }) => {
            await run({ expectedSha256: sha256.toUpperCase(), expectedSizeBytes: archive.length });
        });
    });

    it("and refuses another digest", async () => {
        await withDownload([send(archive)], (download) =>
            assertRefused(download, "digest-mismatch", { expectedSha256: "0".repeat(64) }),
        );
    });

    it("and refuses another size", async () => {
        await withDownload([send(archive)], (download) => assertRefused(download, "size-mismatch", { expectedSizeBytes: 1 }));
    });

    it("and refuses an expected digest that is none, without a request", async () => {
        await withDownload([send(archive)], async (download) => {
            const error = await assertFails(download, { expectedSha256: "abc" });
            assert.ok(error instanceof InvalidSettingsError);
            assert.equal(download.server.requests.length, 0);
        });
    });
});

describe("downloadBundle refuses, and leaves nothing behind", () => {
    it("an archive with an entry that leaves the folder", async () => {
        const evil = await createTarGz([{ name: "index.html" }, { name: "../../evil.html", content: "evil" }]);
        await withDownload([send(evil)], (download) => assertRefused(download, "unsafe-path"));
    });

    it("more bytes than the limit, before they are all there", async () => {
        const endless: Reply = (response) => {
            response.writeHead(200);
            const write = () => {
                while (!response.destroyed && response.write(Buffer.alloc(65_536, 1))) {
                    // until the socket is full
                }
            };
            response.on("drain", write);
            write();
        };
        await withDownload([endless], (download) => assertRefused(download, "too-many-bytes", { maxBytes: 1_000_000 }));
    });

    it("more files than the limit", async () => {
        await withDownload([send(archive)], (download) => assertRefused(download, "too-many-files", { maxFiles: 2 }));
    });

    it("a page instead of an archive", async () => {
        await withDownload([text(200, "<html>Sign in")], (download) => assertRefused(download, "not-an-archive"));
    });

    it("a folder that has something in it, a file, and a link to a folder, without changing them", async () => {
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

    it("a folder into which something was put meanwhile", async () => {
        await withDownload([send(archive)], async ({ server, folder }) => {
            await mkdir(join(folder, "site"));
            const fetch: DownloadBundleOptions["fetch"] = async (url) => {
                await writeFile(join(folder, "site", "mine.txt"), "mine");
                return globalThis.fetch(url);
            };
            const error = await rejectionOf<BundleError>(downloadBundle(server.baseUrl, join(folder, "site"), { fetch }));
            assert.equal(error.problem, "folder-in-use");
            assert.deepEqual(await readTree(folder), { site: "(folder)", [join("site", "mine.txt")]: "mine" });
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

describe("A redirect of a download", () => {
    const redirect = (location: string): Reply => text(302, "", { location });

    it("is followed, to another host too", async () => {
        await withServer([send(archive)], async (other) => {
            await withDownload([redirect(`${other.baseUrl}/y?z=5ignature`)], async ({ run }) => {
                assert.equal((await run()).sha256, sha256);
                assert.equal(other.requests[0]?.headers.authorization, undefined);
            });
        });
    });

    for (const location of [
        "file:///etc/passwd?5ignature",
        "data:text/plain,5ignature",
        "https://bucket.example.com/x?5ignature",
        "http://[5ignature",
        "http://user:5ignature@127.0.0.1/",
    ]) {
        it(`to ${location} is refused`, async () => {
            await withDownload([redirect(location)], (download) => assertRefused(download, "unsafe-redirect"));
        });
    }

    it("from https: to http: is refused", async () => {
        await withFolder(async (folder) => {
            const requested: string[] = [];
            const fetch: DownloadBundleOptions["fetch"] = (url) => {
                requested.push(url);
                return Promise.resolve(new Response(null, { status: 302, headers: { location: "http://b.example.com/x" } }));
            };
            const download = downloadBundle("https://b.example.com/x", join(folder, "site"), { fetch });
            const error = await rejectionOf<BundleError>(download);
            assert.deepEqual([error.problem, requested], ["unsafe-redirect", ["https://b.example.com/x"]]);
            assert.match(error.message, /redirects to another scheme, http:/);
        });
    });

    it("is not followed for ever", async () => {
        await withDownload([redirect("/again?5ignature")], async (download) => {
            await assertRefused(download, "unsafe-redirect");
            assert.equal(download.server.requests.length, 6);
        });
    });
});

describe("A download that fails", () => {
    it("is repeated after failures that may pass, from the beginning", async () => {
        const cutOff: Reply = (response) => {
            response.writeHead(200, { "content-length": archive.length });
            response.write(archive.subarray(0, 40), () => response.destroy());
        };
        await withDownload([text(503, ""), cutOff, loseConnection, send(archive)], async ({ run, server }) => {
            assert.equal((await run()).sha256, sha256);
            assert.equal(server.requests.length, 4);
        });
    });

    it("says that the link has expired, with the server's error, and is not repeated", async () => {
        const expired = json(403, { error: `expired: http://b.example.com/x${query}` });
        await withDownload([expired], async (download) => {
            const error = await assertFails<HttpError>(download);
            assert.ok(error instanceof HttpError, inspect(error));
            assert.deepEqual([error.status, error.serverMessage], [403, "expired: http://b.example.com/x"]);
            assert.equal(error.url, `${download.server.baseUrl}/se_42.tar.gz`);
            assert.equal(download.server.requests.length, 1);
        });
    });

    it("for good ends with the last failure", async () => {
        await withDownload([loseConnection], async (download) => {
            const error = await assertFails(download);
            assert.ok(error instanceof ConnectionError, inspect(error));
            assert.equal(download.server.requests.length, 4);
        });
    });

    for (const [what, reply] of [
        ["never answers", neverAnswer],
        ["stops in the middle", (response) => response.writeHead(200).write(archive.subarray(0, 40))],
    ] as [string, Reply][]) {
        it(`because the server ${what} times out`, async () => {
            await withDownload([reply], async (download) => {
                const error = await assertFails(download, { idleTimeoutMs: 40 });
                assert.ok(error instanceof RequestTimeoutError, inspect(error));
                assert.match(error.message, /nothing arrived for 40 ms/);
            });
        });
    }

    it("does not time out while something arrives, however long it takes in all", async () => {
        const slow: Reply = (response) => {
            response.writeHead(200);
            let sent = 0;
            const timer = setInterval(() => {
                response.write(archive.subarray(sent, sent + 20));
                sent += 20;
                if (sent >= archive.length) {
                    clearInterval(timer);
                    response.end();
                }
            }, 15);
        };
        await withDownload([slow], async ({ run, server }) => {
            await run({ idleTimeoutMs: 100 });
            assert.equal(server.requests.length, 1);
            assert.ok(archive.length > 140, `takes ${(archive.length / 20) * 15} ms`);
        });
    });

    it("because it is aborted rejects with the signal's reason", async () => {
        const reason = new Error("stop");
        const controller = new AbortController();
        const abort: Reply = (response) => {
            response.writeHead(200).write(archive.subarray(0, 40));
            setImmediate(() => controller.abort(reason));
        };
        await withDownload([abort], async (download) => {
            assert.equal(await assertFails(download, { signal: controller.signal }), reason);
            assert.equal(download.server.requests.length, 1);
        });
    });

    it("because of the disk says what the disk says, and is not repeated", async () => {
        await withDownload([send(archive)], async ({ run, folder, server }) => {
            const fetch: DownloadBundleOptions["fetch"] = async (url) => {
                const response = await globalThis.fetch(url);
                for (const name of await readdir(folder)) {
                    await rm(join(folder, name), { recursive: true });
                }
                return response;
            };
            const error = await rejectionOf<NodeJS.ErrnoException>(run({ fetch }));
            assert.deepEqual([error.code, server.requests.length], ["ENOENT", 1]);
        });
    });
});
