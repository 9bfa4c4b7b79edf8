import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { waitUntil } from "../../wait-until.js";
import { createApp } from "../../../service/src/http/app.js";
import { addRequestLog, entryOfBroken, type RequestLogEntry } from "../../../service/src/http/request-log.js";
import { silentLogger } from "../../../service/src/shared/logger.js";
import { page, signIn } from "../dashboard/support/viewer.js";
import { adminApiKey, useService, withService } from "../support/running-service.js";

describe("The log of requests", () => {
    const running = useService({});

    it("names the key of each request, and why a request was refused", async () => {
        const { request, requests } = running();
        const { body } = await request("POST", "/v1/keys", { json: { name: "ci", scopes: ["read"] } });
        requests.length = 0;
        const key = String(body["secret"]);
        await request("GET", "/v1/whoami", { key });
        await request("GET", "/v1/keys", { key });
        await request("GET", "/v1/whoami", { key: "unknown" });
        await request("GET", "/v1/static-export/jobs/se_42");
        const { id } = body["key"] as { id: string };
        assert.deepEqual(
            requests.map(({ status, key: name, keyId, error }) => [status, name, keyId, error]),
            [
                [200, "ci", id, undefined],
                [403, undefined, undefined, "Admin API key ci has the scopes read, but this request needs keys."],
                [401, undefined, undefined, "The admin API key is unknown, has expired or was revoked."],
                [404, "of the service", undefined, "There is no static export job se_42."],
            ],
        );
    });

    it("contains the address of a request that the client cut", async () => {
        const { service, request, requests } = running();
        const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
        await once(socket, "connect");
        const headers = ["Host: x", `Authorization: Bearer ${adminApiKey}`, "Content-Type: application/json"];
        socket.write(`POST /v1/keys HTTP/1.1\r\n${headers.join("\r\n")}\r\nContent-Length: 100\r\n\r\n{`);
        // The request has arrived when a later one is answered.
        await request("GET", "/v1/whoami");
        requests.length = 0;
        socket.destroy();
        const entry = await waitUntil("the cut request is logged", () => requests[0]);
        assert.deepEqual(
            [entry.method, entry.path, entry.status, entry.address],
            ["POST", "/v1/keys", undefined, "127.0.0.1"],
        );
    });

    for (const [what, bytes, method, path, status] of [
        ["no HTTP", "hello\r\n\r\n", "-", "-", 400],
        [
            "headers that are too large",
            `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(64 * 1024)}\r\n\r\n`,
            "-",
            "-",
            431,
        ],
        [
            "an unknown expectation",
            "GET /a?b=c HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: y\r\n\r\n",
            "GET",
            "/a",
            417,
        ],
    ] as const) {
        it(`contains a request with ${what}, which has no route`, async () => {
            const { service, requests } = running();
            requests.length = 0;
            const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
            socket.write(bytes);
            await text(socket);
            const entry = await waitUntil("the request is logged", () => requests[0]);
            assert.deepEqual(
                [entry.method, entry.path, entry.status, entry.address],
                [method, path, status, "127.0.0.1"],
            );
        });
    }

    it("contains one entry for a page of the dashboard, although the page asks the API", async () => {
        const { request, requests } = running();
        const viewer = await signIn(running(), adminApiKey);
        requests.length = 0;
        assert.equal((await viewer.get(`${page}/sites`)).status, 200);
        await request("GET", "/v1/whoami");
        assert.deepEqual(
            requests.map(({ method, path, status }) => [method, path, status]),
            [
                ["GET", "/dashboard/sites", 200],
                ["GET", "/v1/whoami", 200],
            ],
        );
    });
});

describe("The log of connections whose requests are not complete", () => {
    /** Sends bytes to a service with short timeouts, and ends when both sides have closed their connections. */
    async function entriesOf(bytes: string, isCut = false): Promise<RequestLogEntry[]> {
        const entries: RequestLogEntry[] = [];
        const timeouts = { headersMs: 100, requestMs: 200, idleMs: 2000, keepAliveMs: 100, checkMs: 20 };
        const app = createApp(silentLogger, { timeouts, onBroken: (broken) => entries.push(entryOfBroken(broken)) });
        addRequestLog(app, (entry) => entries.push(entry));
        app.post("/body", () => ({}));
        const { port } = new URL(await app.listen({ port: 0, host: "127.0.0.1" }));
        const accepted = once(app.server, "connection");
        const socket = connect(Number(port), "127.0.0.1");
        const closed = once(((await accepted) as [Socket])[0], "close");
        socket.write(bytes);
        if (isCut) {
            socket.end();
        }
        await Promise.all([text(socket), closed]);
        await app.close();
        return entries;
    }
    const post = "POST /body HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";

    it("has no entry for a connection that sends nothing, such as a browser's spare one", async () => {
        assert.deepEqual(await entriesOf(""), []);
    });

    it("has an entry for headers that do not end in time", async () => {
        assert.deepEqual(
            (await entriesOf(post)).map(({ method, status }) => [method, status]),
            [["-", 408]],
        );
    });

    it("has one entry for a request whose body does not arrive in time", async () => {
        const entries = await entriesOf(`${post}Content-Length: 9\r\n\r\n{`);
        assert.deepEqual(
            entries.map(({ method, path }) => [method, path]),
            [["POST", "/body"]],
        );
    });

    it("has one entry for a request whose body cannot be read", async () => {
        const entries = await entriesOf(`${post}Transfer-Encoding: chunked\r\n\r\nnone\r\n`);
        assert.deepEqual(
            entries.map(({ method, path }) => [method, path]),
            [["POST", "/body"]],
        );
    });

    it("has one entry for a request with an unknown expectation whose body does not arrive", async () => {
        const entries = await entriesOf(`${post}Expect: y\r\nContent-Length: 9\r\n\r\n{`);
        assert.deepEqual(
            entries.map(({ method, status }) => [method, status]),
            [["POST", 417]],
        );
    });

    it("has an entry for a request that the client cut within its headers", async () => {
        const [entry, ...others] = await entriesOf(post, true);
        assert.deepEqual([entry?.method, entry?.status, entry?.address, others], ["-", 400, "127.0.0.1", []]);
        assert.equal(entry?.error, "The connection ended before the whole request had arrived.");
    });

    it("has one entry for a request that the client cut within its body", async () => {
        const entries = await entriesOf(`${post}Content-Length: 9\r\n\r\n{`, true);
        assert.deepEqual(
            entries.map(({ method, path }) => [method, path]),
            [["POST", "/body"]],
        );
    });

    it("has an entry for a complete request and one for the broken request after it", async () => {
        const entries = await entriesOf(`${post}Content-Length: 2\r\n\r\n{}hello\r\n\r\n`);
        assert.deepEqual(entries.map(({ method }) => method).sort(), ["-", "POST"]);
    });
});

describe("The log of requests that come through a proxy", () => {
    const addresses = async (trustedProxies: readonly string[], forwarded: string) => {
        let seen: string | undefined;
        await withService({ trustedProxies }, async ({ request, requests }) => {
            await request("GET", "/v1/whoami", { headers: { "x-forwarded-for": forwarded } });
            seen = requests.at(-1)?.address;
        });
        return seen;
    };

    it("contains the client's address if the proxy is on this machine or trusted, and no address that a client claims", async () => {
        assert.equal(await addresses([], "203.0.113.7"), "203.0.113.7");
        assert.equal(await addresses([], "198.51.100.1, 203.0.113.7"), "203.0.113.7");
        const proxies = ["127.0.0.1", "203.0.113.0/24"];
        assert.equal(await addresses(proxies, "198.51.100.1, 203.0.113.7"), "198.51.100.1");
    });

    it("contains the address of a proxy on this machine if only others are trusted", async () => {
        assert.equal(await addresses(["203.0.113.0/24"], "198.51.100.1, 203.0.113.7"), "127.0.0.1");
    });

    it("contains an address without its port, and the proxy's for any other text", async () => {
        assert.equal(await addresses([], "203.0.113.7:5555"), "203.0.113.7");
        assert.equal(await addresses([], "[2001:db8::1]:99"), "2001:db8::1");
        assert.equal(await addresses([], "::ffff:203.0.113.7"), "203.0.113.7");
        assert.equal(await addresses([], "203.0.113.7, garbage"), "127.0.0.1");
        assert.equal(await addresses([], "6.6.6.6 GET /v1/keys 200 1 ms (key admin)"), "127.0.0.1");
    });
});
