import assert from "node:assert/strict";
import { ConnectionError, HttpError } from "@pulumi-static-export/sdk";
import { createTestClient, rejectionOf } from "../../support/client.js";
import { json, withServer } from "../../support/http-server.js";
import { proxyPassword, useProxy } from "../../support/password-proxy.js";

const running = json(200, { status: "running" });

describe("a client behind a proxy that requires a password", () => {
    const proxy = useProxy();

    const get = async (baseUrl: string) => {
        const { client } = createTestClient(baseUrl);
        try {
            return await client.staticExports.get("se_42");
        } finally {
            client.close();
        }
    };

    it("sends its requests through the proxy, but requests to hosts in NO_PROXY directly", async () => {
        process.env.HTTP_PROXY = proxy().url();
        await withServer([running, running], async ({ baseUrl }) => {
            assert.equal((await get(baseUrl)).status, "running");
            assert.deepEqual(proxy().seen, [new URL(baseUrl).host]);
            process.env.NO_PROXY = "127.0.0.1";
            assert.equal((await get(baseUrl)).status, "running");
            assert.equal(proxy().seen.length, 1);
        });
    });

    it("opens a tunnel through the proxy to an https address", async () => {
        process.env.HTTPS_PROXY = proxy().url();
        await withServer([running], async ({ baseUrl }) => {
            // The server does not support TLS; the spec only checks the connection through the proxy.
            assert.ok((await rejectionOf(get(baseUrl.replace("http:", "https:")))) instanceof ConnectionError);
            assert.deepEqual(proxy().seen, [new URL(baseUrl).host]);
        });
    });

    for (const scheme of ["http", "https"]) {
        it(`explains where to put the password if the proxy rejects it, without showing it: ${scheme}`, async () => {
            process.env[`${scheme.toUpperCase()}_PROXY`] = proxy().url("wr0ng_5ecret");
            const error = await rejectionOf<HttpError>(get(`${scheme}://127.0.0.1:9`));
            assert.ok(error instanceof HttpError);
            assert.equal(error.status, 407);
            assert.match(error.message, /set HTTPS_PROXY to http:\/\/user:password@host:port/);
            assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`, /5ecret/);
        });
    }

    it("does not wait for a proxy that is not running, and names it with its variable", async () => {
        process.env.HTTP_PROXY = `http://me:${proxyPassword}@127.0.0.1:9`;
        const error = await rejectionOf<ConnectionError>(get("http://127.0.0.1:8787"));
        assert.equal(error.code, "ECONNREFUSED");
        assert.match(error.message, /goes through the proxy \S+:\d+ \(HTTPS?_PROXY\): check that the proxy runs/);
        assert.doesNotMatch(`${error.stack} ${String(error.cause)}`, /5ecret/);
    });
});
