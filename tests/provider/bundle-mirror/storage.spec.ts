import assert from "node:assert/strict";
import { Storage } from "../../../provider/src/bundle-mirror/storage/storage.js";
import { type RecordedRequest, type Reply, withServer } from "../../sdk/support/http-server.js";

const credentials = { accessKeyId: "a", secretAccessKey: "b" };
const failing =
    (status: number, code = ""): Reply =>
    (response, { method }) => {
        response.writeHead(status, { "content-type": "application/xml" });
        response.end(method === "HEAD" || code === "" ? "" : `<Error><Code>${code}</Code></Error>`);
    };
const object: Reply = (response, { method }) => {
    response.writeHead(200, { etag: '"e1"', "content-length": 5, "x-amz-meta-size-bytes": "7" });
    response.end(method === "HEAD" ? "" : "words");
};

describe("A mirror's storage", () => {
    /** Answers requests with these replies. @returns the requests */
    async function withStorage(
        replies: readonly Reply[],
        use: (storage: Storage, signal: AbortSignal) => Promise<unknown>,
    ): Promise<readonly RecordedRequest[]> {
        let seen: readonly RecordedRequest[] = [];
        await withServer(replies, async ({ baseUrl, requests }) => {
            const place = { jobId: "se_42", bucket: "docs", endpoint: baseUrl };
            const storage = await Storage.open(place, credentials);
            try {
                await use(storage, new AbortController().signal);
            } finally {
                storage.close();
            }
            seen = requests;
        });
        return seen;
    }

    it("finds an object with its tag and size, and reads its text and metadata", async () => {
        await withStorage([object], async (storage) => {
            assert.deepEqual(await storage.find("a/b.tar.gz"), { etag: '"e1"', sizeBytes: 5 });
            assert.deepEqual(await storage.readText("a/b.sha256"), { text: "words", metadata: { "size-bytes": "7" } });
        });
    });

    it("asks again with a body before an object counts as missing, because a gateway may have answered", async () => {
        const requests = await withStorage([failing(404), failing(404, "NoSuchKey")], async (storage) => {
            assert.equal(await storage.find("x"), undefined);
        });
        assert.deepEqual(
            requests.map(({ method }) => method),
            ["HEAD", "GET"],
        );
        await withStorage([failing(404), object], async (storage) => {
            assert.deepEqual(await storage.find("x"), { etag: '"e1"', sizeBytes: 5 });
        });
        await withStorage([failing(404)], async (storage) => {
            await assert.rejects(storage.find("x"), /Mirror of export se_42 at s3:\/\/docs\/.*404/s);
        });
    });

    it("has no object in a bucket that does not exist, and nothing to remove", async () => {
        await withStorage([failing(404, "NoSuchBucket")], async (storage) => {
            assert.equal(await storage.find("x"), undefined);
            assert.equal(await storage.readText("x"), undefined);
            await storage.remove("x");
        });
        await withStorage([failing(404, "NoSuchKey")], async (storage) => storage.remove("x"));
    });

    it("rejects for a request that is refused, with the permissions that the key needs", async () => {
        await withStorage([failing(403, "AccessDenied")], async (storage) => {
            const refused = /AccessDenied.*Allow these credentials s3:GetObject and s3:PutObject/s;
            await assert.rejects(storage.readText("x"), refused);
            await assert.rejects(storage.writeText("x", "words", {}), refused);
            await assert.rejects(storage.remove("x"), refused);
            await assert.rejects(storage.find("x"), /403|AccessDenied|Forbidden/);
        });
        await withStorage([failing(403, "InvalidAccessKeyId")], async (storage) => {
            await assert.rejects(storage.readText("x"), /pulumi config set --secret static-export:mirrorAccessKeyId/);
        });
    });

    it("writes a text with its metadata, and removes objects", async () => {
        const requests = await withStorage([(response) => response.writeHead(204).end()], async (storage) => {
            await storage.writeText("a/b.sha256", "words", { etag: "e1" });
            await storage.remove("a/b.sha256");
        });
        const [put, remove] = requests;
        assert.deepEqual([put?.method, put?.url?.replace(/\?.*/, "")], ["PUT", "/docs/a/b.sha256"]);
        assert.match(put?.body ?? "", /words/);
        assert.deepEqual(
            [put?.headers["content-type"], put?.headers["x-amz-meta-etag"]],
            ["text/plain; charset=utf-8", "e1"],
        );
        assert.deepEqual([remove?.method, remove?.url?.replace(/\?.*/, "")], ["DELETE", "/docs/a/b.sha256"]);
    });

    it("signs a link that lasts as long as asked, from the time given, without a request", async () => {
        const nowMs = Date.parse("2026-11-20T12:00:00Z");
        const requests = await withStorage([failing(500)], async (storage) => {
            const { url, expiresAtMs } = await storage.presign("a/b.tar.gz", 3600, nowMs);
            const { pathname, searchParams } = new URL(url);
            assert.equal(pathname, "/docs/a/b.tar.gz");
            assert.equal(searchParams.get("X-Amz-Expires"), "3600");
            assert.equal(searchParams.get("X-Amz-Date"), "20261120T120000Z");
            assert.equal(expiresAtMs, nowMs + 3_600_000);
        });
        assert.deepEqual(requests, []);
    });
});
