import assert from "node:assert/strict";
import { ForgeClient } from "../../../service/src/forge/forge-client.js";
import { createPullRequests } from "../../../service/src/forge/pull-requests.js";
import { rejectionOf } from "../../sdk/support/client.js";
import { json, withServer } from "../../sdk/support/http-server.js";
import { proxyPassword, useProxy } from "../../sdk/support/password-proxy.js";
import { pullRequestAnswer } from "./support/pull-request-answer.js";

const token = "token_0123456789abcdef";
const link = "https://git.example.com/acme/docs/pull/5";

const answer = pullRequestAnswer("github", { link, branch: "agent/aj_1" });

const openPullRequest = (apiUrl: string) =>
    createPullRequests({ kind: "github", apiUrl, token }).open({
        repository: "https://git.example.com/acme/docs",
        branch: "agent/aj_1",
        base: "main",
        title: "Change",
        body: "A change.",
    });

describe("A forge behind a proxy that requires a password", () => {
    const proxy = useProxy();

    it("receives every request through the proxy", async () => {
        process.env.HTTP_PROXY = proxy().url();
        await withServer([json(200, []), json(201, answer)], async ({ baseUrl, requests }) => {
            assert.equal(await openPullRequest(baseUrl), link);
            assert.deepEqual(
                requests.map(({ method }) => method),
                ["GET", "POST"],
            );
            assert.deepEqual([...new Set(proxy().seen)], [new URL(baseUrl).host]);
        });
    });

    it("is called directly if NO_PROXY names it", async () => {
        Object.assign(process.env, { HTTP_PROXY: proxy().url(), NO_PROXY: "127.0.0.1" });
        await withServer([json(200, [answer])], async ({ baseUrl }) => {
            assert.equal(await openPullRequest(baseUrl), link);
            assert.deepEqual(proxy().seen, []);
        });
    });

    it("is reached through a tunnel if its address is https", async () => {
        process.env.HTTPS_PROXY = proxy().url();
        await withServer([], async ({ baseUrl }) => {
            const client = new ForgeClient({ kind: "gitlab", apiUrl: baseUrl.replace("http:", "https:"), token });
            // The server does not support TLS; the spec only checks the connection through the proxy.
            await rejectionOf(client.request("POST", "/projects/1/merge_requests"));
            assert.deepEqual(proxy().seen, [new URL(baseUrl).host]);
        });
    });

    it("is not called through an invalid proxy address, and the error hides the password of that address", async () => {
        process.env.HTTP_PROXY = `socks5://me:${proxyPassword}@proxy:1080`;
        const error = await rejectionOf<Error>(openPullRequest("http://127.0.0.1:9"));
        assert.equal(
            error.message,
            "GitHub could not be reached (GET /repos/acme/docs/pulls): " +
                "HTTP_PROXY must name a proxy as http://host:port or https://host:port.",
        );
    });
});
