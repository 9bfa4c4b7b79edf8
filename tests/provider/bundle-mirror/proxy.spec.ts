import assert from "node:assert/strict";
import { Storage } from "../../../provider/src/bundle-mirror/storage/storage.js";
import { text, withServer } from "../../sdk/support/http-server.js";
import { useProxy } from "../../sdk/support/password-proxy.js";

const credentials = { accessKeyId: "a", secretAccessKey: "b" };

describe("a mirror's storage behind a proxy that requires a password", () => {
    const proxy = useProxy();

    /** Requests an object that the storage does not contain. */
    const look = async (endpoint: string) => {
        const storage = await Storage.open({ jobId: "se_42", bucket: "docs", endpoint }, credentials);
        try {
            return await storage.find("nothing");
        } finally {
            storage.close();
        }
    };

    it("is reached through the proxy, or directly if NO_PROXY lists its host", async () => {
        await withServer([text(404, "<Error><Code>NoSuchKey</Code></Error>")], async ({ baseUrl, requests }) => {
            process.env.HTTP_PROXY = proxy().url();
            assert.equal(await look(baseUrl), undefined);
            assert.ok(proxy().seen.length > 0 && proxy().seen.every((host) => host === new URL(baseUrl).host));
            const { length } = proxy().seen;
            process.env.NO_PROXY = "127.0.0.1";
            assert.equal(await look(baseUrl), undefined);
            assert.deepEqual([proxy().seen.length, requests.length], [length, 2 * length]);
        });
    });

    it("is not reached if the proxy refuses access, and the error contains no password", async () => {
        await withServer([text(404, "")], async ({ baseUrl, requests }) => {
            process.env.HTTP_PROXY = proxy().url("wr0ng_5ecret");
            await assert.rejects(look(baseUrl), (error: Error) => {
                assert.match(error.message, /HTTP 407/);
                assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`, /5ecret/);
                return true;
            });
            assert.equal(requests.length, 0);
        });
    });
});
