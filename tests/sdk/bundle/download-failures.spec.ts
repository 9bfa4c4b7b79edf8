import assert from "node:assert/strict";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";
import {
    type BundleError,
    ConnectionError,
    downloadBundle,
    type DownloadBundleOptions,
    HttpError,
    RequestTimeoutError,
} from "@pulumi-static-export/sdk";
import { rejectionOf } from "../support/client.js";
import { archive, assertFails, assertRefused, query, send, sha256, withDownload } from "../support/download.js";
import { FakeClock } from "../../fake-clock.js";
import { withFolder } from "../support/files.js";
import { json, loseConnection, neverAnswer, type Reply, text, withServer } from "../support/http-server.js";
import { ManualTimers } from "../support/manual-timers.js";

/** Yields the content in chunks, and calls `before` before each chunk. */
async function* inPieces(content: Buffer, size: number, before: () => void): AsyncGenerator<Buffer> {
    for (let start = 0; start < content.length; start += size) {
        before();
        yield await Promise.resolve(content.subarray(start, start + size));
    }
}

describe("A redirect of a download", () => {
    const redirect = (location: string): Reply => text(302, "", { location });

    it("is followed, even to another host", async () => {
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
        "http://[5ignature",
        "http://user:5ignature@127.0.0.1/",
        "http://5ignature@127.0.0.1/",
        "http://:5ignature@127.0.0.1/",
    ]) {
        it(`to ${location} is refused`, async () => {
            await withDownload([redirect(location)], (download) => assertRefused(download, "unsafe-redirect"));
        });
    }

    it("from http: to https: is followed, without the key", async () => {
        await withFolder(async (folder) => {
            const requested: string[] = [];
            const fetch: DownloadBundleOptions["fetch"] = (url, { headers }) => {
                requested.push(url);
                assert.ok(!("authorization" in headers));
                return Promise.resolve(
                    url.startsWith("https:")
                        ? new Response(new Uint8Array(archive))
                        : new Response(null, { status: 302, headers: { location: "https://b.example.com/x" } }),
                );
            };
            await downloadBundle("http://a.example.com/x", join(folder, "site"), { fetch });
            assert.deepEqual(requested, ["http://a.example.com/x", "https://b.example.com/x"]);
        });
    });

    it("from https: to http: is refused", async () => {
        await withFolder(async (folder) => {
            const requested: string[] = [];
            const fetch: DownloadBundleOptions["fetch"] = (url) => {
                requested.push(url);
                return Promise.resolve(
                    new Response(null, { status: 302, headers: { location: "http://b.example.com/x" } }),
                );
            };
            const download = downloadBundle("https://b.example.com/x", join(folder, "site"), { fetch });
            const error = await rejectionOf<BundleError>(download);
            assert.deepEqual([error.problem, requested], ["unsafe-redirect", ["https://b.example.com/x"]]);
            assert.match(error.message, /redirects to another scheme, http:/);
        });
    });

    it("is not followed indefinitely", async () => {
        await withDownload([redirect("/again?5ignature")], async (download) => {
            await assertRefused(download, "unsafe-redirect");
            assert.equal(download.server.requests.length, 6);
        });
    });
});

describe("A failing download", () => {
    it("is retried from the beginning after transient failures", async () => {
        const cutOff: Reply = (response) => {
            response.writeHead(200, { "content-length": archive.length });
            response.write(archive.subarray(0, 40), () => response.destroy());
        };
        await withDownload([text(503, ""), cutOff, loseConnection, send(archive)], async ({ run, server }) => {
            assert.equal((await run()).sha256, sha256);
            assert.equal(server.requests.length, 4);
        });
    });

    it("reports an expired link with the server's error, and is not retried", async () => {
        const expired = json(403, { error: `expired: http://b.example.com/x${query}` });
        await withDownload([expired], async (download) => {
            const error = await assertFails<HttpError>(download);
            assert.ok(error instanceof HttpError, inspect(error));
            assert.deepEqual([error.status, error.serverMessage], [403, "expired: http://b.example.com/x"]);
            assert.equal(error.url, `${download.server.baseUrl}/se_42.tar.gz`);
            assert.equal(download.server.requests.length, 1);
        });
    });

    it("waits longer before each further attempt", async () => {
        await withDownload([loseConnection], async (download) => {
            const clock = new FakeClock();
            await assertFails(download, { clock, random: () => 0.5 });
            assert.deepEqual(clock.sleptMs, [250, 500, 1000]);
        });
    });

    it("ends with the last failure if every attempt fails", async () => {
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
        it(`times out if the server ${what}`, async () => {
            await withDownload([reply], async (download) => {
                const error = await assertFails(download, { idleTimeoutMs: 40 });
                assert.ok(error instanceof RequestTimeoutError, inspect(error));
                assert.match(error.message, /nothing arrived for 40 ms/);
            });
        });
    }

    describe("with a fake clock", () => {
        const idleTimeoutMs = 100;

        /** Returns options that make the response arrive in chunks, `stepMs` apart. */
        function arriveEvery(stepMs: number): DownloadBundleOptions {
            const timers = new ManualTimers();
            const clock = { ...new FakeClock("2026-11-20T00:00:00Z"), startTimer: timers.startTimer };
            const fetch: DownloadBundleOptions["fetch"] = async (url) => {
                const response = await globalThis.fetch(url);
                const content = Buffer.from(await response.arrayBuffer());
                const body = inPieces(content, 20, () => timers.advance(stepMs));
                return { status: response.status, headers: response.headers, body };
            };
            return { fetch, clock, idleTimeoutMs };
        }

        it("does not time out while data arrives, even if the whole download takes a long time", async () => {
            await withDownload([send(archive)], async ({ run, server }) => {
                assert.equal((await run(arriveEvery(idleTimeoutMs - 1))).sha256, sha256);
                assert.equal(server.requests.length, 1);
                assert.ok(archive.length > 3 * 20, "a few pieces");
            });
        });

        it("times out if no data arrives within the idle timeout", async () => {
            await withDownload([send(archive)], async (download) => {
                const error = await assertFails(download, arriveEvery(idleTimeoutMs));
                assert.ok(error instanceof RequestTimeoutError, inspect(error));
            });
        });
    });

    it("rejects with the signal's reason when aborted", async () => {
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

    it("reports a disk error, and is not retried", async () => {
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
