import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import {
    BundleError,
    ConnectionError,
    downloadArchive,
    type DownloadArchiveOptions,
    HttpError,
    RequestTimeoutError,
} from "@pulumi-static-export/sdk";
import { systemClock } from "../../../sdk/src/time/clock.js";
import { rejectionOf } from "../support/client.js";
import { archive, query, send, sha256 } from "../support/download.js";
import { withFolder } from "../support/files.js";
import { neverAnswer, type Reply, text, withServer } from "../support/http-server.js";

const loseConnectionInArchive: Reply = (response) => {
    response.writeHead(200, { "content-length": archive.length });
    response.write(archive.subarray(0, 40), () => response.destroy());
};
const withoutLength =
    (...chunks: Buffer[]): Reply =>
    (response) => {
        response.writeHead(200);
        chunks.forEach((chunk) => response.write(chunk));
        response.end();
    };
/** Names a size, and sends no byte. */
const announced: Reply = (response) => {
    response.writeHead(200, { "content-length": 41 }).flushHeaders();
};
const labelled = (content: Buffer): Reply => send(content, { "content-encoding": "gzip" });
const otherBytes = Buffer.concat([archive, Buffer.alloc(1)]);

/** Asserts that one attempt rejects with the error, which shows nothing of the link's query. */
async function assertRejects(
    reply: Reply,
    options: Partial<DownloadArchiveOptions>,
    isExpected: (error: Error) => boolean,
) {
    await withServer([reply], ({ baseUrl, requests }) =>
        withFolder(async (folder) => {
            const link = `${baseUrl}/x${query}`;
            const error = await rejectionOf(
                downloadArchive(link, join(folder, "archive"), { idleTimeoutMs: 1000, ...options }),
            );
            assert.ok(isExpected(error), inspect(error));
            assert.doesNotMatch(inspect(error), /5ignature/);
            assert.equal(requests.length, 1);
        }),
    );
}

describe("downloadArchive", () => {
    it("saves the archive as stored, without the Authorization header, and overwrites the file", async () => {
        const replies = [send(otherBytes), send(archive, { "content-encoding": "gzip" })];
        await withServer(replies, ({ baseUrl, requests }) =>
            withFolder(async (folder) => {
                const path = join(folder, "archive");
                const options = { idleTimeoutMs: 5000 };
                await downloadArchive(`${baseUrl}/x${query}`, path, options);
                const expectedSizeBytes = archive.length;
                const saved = await downloadArchive(`${baseUrl}/x${query}`, path, { ...options, expectedSizeBytes });
                assert.deepEqual(saved, { sizeBytes: archive.length, sha256 });
                assert.deepEqual(await readFile(path), archive);
                assert.equal(requests[1]?.headers.authorization, undefined);
            }),
        );
    });

    it("saves an archive that arrives byte by byte", async () => {
        await withFolder(async (folder) => {
            const body = (async function* () {
                for (const byte of archive) {
                    yield await Promise.resolve(Uint8Array.of(byte));
                }
            })();
            const fetch = () => Promise.resolve({ status: 200, headers: new Headers(), body });
            const options = { idleTimeoutMs: 5000, fetch };
            assert.equal(
                (await downloadArchive("https://b.example.com/x", join(folder, "archive"), options)).sha256,
                sha256,
            );
        });
    });

    it("saves an archive that a proxy has compressed once more, whose transfer is larger than the limit", async () => {
        const transferred = gzipSync(archive);
        assert.ok(transferred.length > archive.length);
        await withServer([send(transferred, { "content-encoding": "gzip" })], ({ baseUrl }) =>
            withFolder(async (folder) => {
                const options = { idleTimeoutMs: 5000, maxBytes: archive.length };
                const saved = await downloadArchive(`${baseUrl}/x`, join(folder, "archive"), options);
                assert.deepEqual(saved, { sizeBytes: archive.length, sha256 });
            }),
        );
    });

    it("makes no request for an archive that is known to be too large", async () => {
        const fetch = () => Promise.reject(new Error("no request was expected"));
        const options = { idleTimeoutMs: 1000, fetch, expectedSizeBytes: 41, maxBytes: 40 };
        const error = await rejectionOf<BundleError>(downloadArchive("https://b.example.com/x", "unused", options));
        assert.equal(error.problem, "too-many-bytes");
    });

    it("stops as soon as the content proves to be no archive", async () => {
        await withFolder(async (folder) => {
            const body = (async function* () {
                yield await Promise.resolve(Buffer.alloc(2048, "<html>"));
                assert.fail("no more was expected to be read");
            })();
            const fetch = () => Promise.resolve({ status: 200, headers: new Headers(), body });
            const path = join(folder, "archive");
            const saving = downloadArchive("https://b.example.com/x", path, { idleTimeoutMs: 1000, fetch });
            assert.equal((await rejectionOf<BundleError>(saving)).problem, "not-an-archive");
        });
    });

    it("begins its time limit again with the answer, with each chunk, and when a chunk is written", async () => {
        await withFolder(async (folder) => {
            let restarts = 0;
            const startTimer = () => ({ restart: () => void restarts++, stop: () => undefined });
            const chunks = [archive.subarray(0, 40), archive.subarray(40)];
            const body = Readable.from(chunks);
            const fetch = () => Promise.resolve({ status: 200, headers: new Headers(), body });
            const options = { idleTimeoutMs: 1000, fetch, clock: { ...systemClock, startTimer } };
            await downloadArchive("https://b.example.com/x", join(folder, "archive"), options);
            assert.equal(restarts, 1 + 2 * chunks.length);
        });
    });

    it("rejects with the disk's error", async () => {
        await withServer([send(archive)], ({ baseUrl }) =>
            withFolder(async (folder) => {
                const path = join(folder, "missing", "archive");
                const saving = downloadArchive(`${baseUrl}/x`, path, { idleTimeoutMs: 5000 });
                assert.equal((await rejectionOf<NodeJS.ErrnoException>(saving)).code, "ENOENT");
            }),
        );
    });

    for (const [what, reply, ErrorType] of [
        ["a link that has expired", text(403, ""), HttpError],
        ["a connection lost on the way", loseConnectionInArchive, ConnectionError],
        ["a storage that sends nothing", neverAnswer, RequestTimeoutError],
        ["a redirect to another scheme", text(302, "", { location: "data:,x" }), BundleError],
    ] as const) {
        it(`rejects after one attempt for ${what}, without the link's query`, () =>
            assertRejects(reply, {}, (error) => error instanceof ErrorType));
    }

    const expectedSizeBytes = archive.length;
    for (const [what, problem, reply, options] of [
        ["an HTML page", "not-an-archive", send(Buffer.from("<html>Sign in")), { expectedSizeBytes }],
        ["an empty file", "not-an-archive", send(Buffer.alloc(0)), { expectedSizeBytes }],
        ["an empty file that is labelled as compressed", "not-an-archive", labelled(Buffer.alloc(0)), {}],
        ["an HTML page that is labelled as compressed", "not-an-archive", labelled(Buffer.from("<html>Sign in")), {}],
        ["half of gzip's signature", "not-an-archive", send(archive.subarray(0, 1)), {}],
        ["fewer bytes than expected", "size-mismatch", withoutLength(archive.subarray(0, 40)), { expectedSizeBytes }],
        ["more bytes than expected", "size-mismatch", withoutLength(otherBytes), { expectedSizeBytes }],
        ["more bytes than the limit", "too-many-bytes", withoutLength(archive), { maxBytes: 40 }],
        ["more announced bytes than the limit", "too-many-bytes", announced, { maxBytes: 40 }],
    ] as const) {
        it(`refuses ${what}`, () =>
            assertRejects(reply, options, (error) => error instanceof BundleError && error.problem === problem));
    }

    for (const link of [
        "data:,5ignature",
        "file:///5ignature",
        "https://u:5ignature@b.example.com/x",
        "https://5ignature@b.example.com/x",
        "https://:5ignature@b.example.com/x",
    ]) {
        it(`refuses ${link} without a request`, async () => {
            const fetch = () => Promise.reject(new Error("no request was expected"));
            const error = await rejectionOf<BundleError>(
                downloadArchive(link, "unused", { idleTimeoutMs: 1000, fetch }),
            );
            assert.ok(error instanceof BundleError, inspect(error));
            assert.equal(error.problem, "unsafe-address");
            assert.doesNotMatch(inspect(error), /5ignature/);
        });
    }
});
