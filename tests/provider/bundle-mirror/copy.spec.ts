import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { AdminClient } from "@pulumi-static-export/sdk";
import { copyBundle } from "../../../provider/src/bundle-mirror/copy.js";
import type { Storage } from "../../../provider/src/bundle-mirror/storage/storage.js";

const jobId = "se_42";

describe("BundleMirror: the copy", () => {
    let server: Server;
    let requests: { method: string | undefined; status: number }[];
    let linkStatus: number;
    let sizeBytes: number | undefined;
    let announcedBytes: number | undefined;

    beforeEach(async () => {
        requests = [];
        [linkStatus, sizeBytes, announcedBytes] = [200, undefined, undefined];
        server = createServer((request, response) => {
            if (request.method === "GET" && announcedBytes !== undefined) {
                requests.push({ method: "GET", status: 200 });
                response.writeHead(200, { "content-length": announcedBytes }).flushHeaders();
                return;
            }
            const status = request.method === "POST" ? linkStatus : 503;
            requests.push({ method: request.method, status });
            response.writeHead(status, { "content-type": "application/json" });
            response.end(JSON.stringify({ jobId, bundleUrl: `${url()}/bundle.tar.gz`, sizeBytes }));
        }).listen(0, "127.0.0.1");
        await new Promise((resolve) => server.once("listening", resolve));
    });
    afterEach(() => {
        server.closeAllConnections();
        server.close();
    });

    const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

    async function copy(): Promise<void> {
        const client = new AdminClient({
            baseUrl: url(),
            adminApiKey: "test_0123456789",
            retry: { maxAttempts: 2, baseMs: 0 },
        });
        const storage = { subject: "Mirror" } as Storage;
        const { signal } = new AbortController();
        await copyBundle(() => client.staticExports.createBundle(jobId, { signal }), storage, "a", signal);
    }

    it("requests a link only as often as the client does, if each answer is 503", async () => {
        linkStatus = 503;
        await assert.rejects(copy(), /503/);
        assert.deepEqual(requests, Array(2).fill({ method: "POST", status: 503 }));
    });

    const tooLarge = /the archive is larger than 5368709120 bytes\. This limit cannot be raised: export fewer pages/;

    it("refuses an archive of more than 5 GiB before its download, if the platform names the size", async () => {
        sizeBytes = 5 * 1024 ** 3 + 1;
        await assert.rejects(copy(), tooLarge);
        assert.deepEqual(requests, [{ method: "POST", status: 200 }]);
    });

    it("refuses an archive of more than 5 GiB before its first byte, if the storage names the size", async () => {
        announcedBytes = 5 * 1024 ** 3 + 1;
        await assert.rejects(copy(), tooLarge);
        assert.deepEqual(requests.length, 2);
    });

    it("downloads three times, each with a fresh link, if each download is answered with 503", async () => {
        await assert.rejects(copy(), /503/);
        const once = [
            { method: "POST", status: 200 },
            { method: "GET", status: 503 },
        ];
        assert.deepEqual(requests, [...once, ...once, ...once]);
    });
});
