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

    beforeEach(async () => {
        requests = [];
        linkStatus = 200;
        server = createServer((request, response) => {
            const status = request.method === "POST" ? linkStatus : 503;
            requests.push({ method: request.method, status });
            response.writeHead(status, { "content-type": "application/json" });
            response.end(JSON.stringify({ jobId, bundleUrl: `${url()}/bundle.tar.gz` }));
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

    it("downloads three times, each with a fresh link, if each download is answered with 503", async () => {
        await assert.rejects(copy(), /503/);
        const once = [
            { method: "POST", status: 200 },
            { method: "GET", status: 503 },
        ];
        assert.deepEqual(requests, [...once, ...once, ...once]);
    });
});
