import assert from "node:assert/strict";
import { inspect } from "node:util";
import {
    type AdminClient,
    AmbiguousStartError,
    ConnectionError,
    HttpError,
    InvalidResponseError,
    RequestTimeoutError,
} from "@pulumi-static-export/sdk";
import { createTestClient, rejectionOf } from "../support/client.js";
import {
    json,
    loseConnection,
    loseConnectionInBody,
    neverAnswer,
    type RecordedRequest,
    text,
    withServer,
} from "../support/http-server.js";

const agentJob = {
    id: "aj_7",
    status: "active",
    source: { repository: "https://git.example.com/docs", ref: null },
    model: "m",
    createdAt: "2026-11-20T12:00:00Z",
};
const starts: [string, (client: AdminClient) => Promise<unknown>, unknown][] = [
    ["start of an export", (client) => client.staticExports.start({ domain: "docs.example.com" }), { jobId: "se_42" }],
    ["creation of an agent job", (client) => client.agentJobs.create("p1", { prompt: "go" }), agentJob],
    ["message to an agent job", (client) => client.agentJobs.sendMessage("p1", "aj_7", { prompt: "go" }), agentJob],
];

/** Returns all requests except the request that checks whether the server honours an Idempotency-Key. */
const postsOf = (requests: readonly RecordedRequest[]) => requests.filter(({ method }) => method === "POST");

for (const [name, start, answer] of starts) {
    const success = json(202, answer);

    describe(`The ${name} is not retried, and is reported as ambiguous,`, () => {
        for (const [what, failure, Cause] of [
            ["a connection lost before the answer", loseConnection, ConnectionError],
            ["a connection lost in the middle of the answer", loseConnectionInBody, ConnectionError],
            ["a timeout", neverAnswer, RequestTimeoutError],
            ["408", text(408, ""), HttpError],
            ["500", json(500, { error: "oops" }), HttpError],
            ["502", text(502, "<html>"), HttpError],
            ["503", text(503, ""), HttpError],
            [
                "503 with Retry-After, which a gateway may send after it passed the request on",
                text(503, "", { "retry-after": "1" }),
                HttpError,
            ],
            ["504", text(504, ""), HttpError],
            ["a success without an id", json(202, {}), InvalidResponseError],
            ["a success of truncated JSON", text(202, '{"jobId":"se_'), InvalidResponseError],
            ["a success that is an HTML page", text(200, "<html>"), InvalidResponseError],
        ] as const) {
            it(`after ${what}`, async () => {
                await withServer([failure, success], async ({ baseUrl, requests }) => {
                    // The short timeout is only for a server that never responds, because slow responses would race
                    // with it. Within it, an emulated machine must be able to connect.
                    const requestTimeoutMs = failure === neverAnswer ? 500 : 5000;
                    const { client, clock } = createTestClient(baseUrl, { requestTimeoutMs });
                    const error = await rejectionOf<AmbiguousStartError>(start(client));
                    assert.ok(error instanceof AmbiguousStartError, inspect(error));
                    assert.ok(error.cause instanceof Cause, inspect(error.cause));
                    assert.match(error.message, /may or may not have/);
                    assert.ok(error.message.includes(error.cause.summary));
                    assert.deepEqual([postsOf(requests).length, clock.sleptMs], [1, []]);
                });
            });
        }
    });

    describe(`The ${name} is retried if it provably had no effect`, () => {
        it("after 429, at the time that the server sets", async () => {
            const busy = json(429, { error: "slow down" }, { "retry-after": "3" });
            await withServer([busy, success], async ({ baseUrl, requests }) => {
                const { client, clock } = createTestClient(baseUrl, { random: () => 0 });
                await start(client);
                assert.deepEqual([requests.length, clock.sleptMs], [2, [3_000]]);
            });
        });

        for (const [what, code, syscall] of [
            ["a refused connection", "ECONNREFUSED", "connect"],
            ["a name that could not be resolved", "ENOTFOUND", "getaddrinfo"],
            ["a connection that timed out being made", "ETIMEDOUT", "connect"],
        ] as const) {
            it(`after ${what}`, async () => {
                let attempts = 0;
                const { client } = createTestClient("https://api.example.com", {
                    fetch: async () => {
                        attempts += 1;
                        if (attempts === 1) {
                            throw Object.assign(new Error("failed"), { code, syscall });
                        }
                        return Promise.resolve(new Response(JSON.stringify(answer), { status: 201 }));
                    },
                });
                await start(client);
                assert.equal(attempts, 2);
            });
        }

        it("but only a limited number of times", async () => {
            await withServer([text(429, "")], async ({ baseUrl, requests }) => {
                const error = await rejectionOf<HttpError>(start(createTestClient(baseUrl).client));
                assert.ok(error instanceof HttpError);
                assert.deepEqual([error.status, requests.length], [429, 5]);
            });
        });
    });

    describe(`The ${name} fails permanently, without ambiguity`, () => {
        for (const status of [302, 400, 401, 403, 404, 409, 422]) {
            it(`after ${status}`, async () => {
                const refusal = json(status, { error: "no" }, { location: "/elsewhere" });
                await withServer([refusal, success], async ({ baseUrl, requests }) => {
                    const error = await rejectionOf<HttpError>(start(createTestClient(baseUrl).client));
                    assert.ok(error instanceof HttpError, inspect(error));
                    assert.deepEqual([error.status, requests.length], [status, 1]);
                });
            });
        }

        it("after an untrusted certificate", async () => {
            let attempts = 0;
            const { client } = createTestClient("https://api.example.com", {
                fetch: () => {
                    attempts += 1;
                    const cause = Object.assign(new Error("self-signed certificate"), {
                        code: "DEPTH_ZERO_SELF_SIGNED_CERT",
                    });
                    return Promise.reject(new TypeError("fetch failed", { cause }));
                },
            });
            const error = await rejectionOf<ConnectionError>(start(client));
            assert.ok(error instanceof ConnectionError);
            assert.deepEqual([error.failure, error.neverSent, attempts], ["tls", true, 1]);
        });
    });
}

describe("An ambiguous start", () => {
    it("names the domain and how to adopt the job", async () => {
        await withServer([text(500, "")], async ({ baseUrl }) => {
            const { client } = createTestClient(baseUrl);
            const error = await rejectionOf(client.staticExports.start({ domain: "docs.example.com" }));
            assert.match(error.message, /^Export of docs\.example\.com: .* adopt it by setting its jobId/);
        });
    });

    it("is never caused by a closing kept-alive connection, because each start opens a new connection", async () => {
        await withServer([json(202, { jobId: "se_42" })], async ({ baseUrl, requests, connections }) => {
            const { client } = createTestClient(baseUrl);
            await client.staticExports.start({ domain: "docs.example.com" });
            await client.staticExports.start({ domain: "docs.example.com" });
            assert.deepEqual([requests.length, connections()], [2, 2]);
        });
    });
});
