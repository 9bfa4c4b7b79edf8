import assert from "node:assert/strict";
import { inspect } from "node:util";
import {
    type AdminClient,
    type Clock,
    ConnectionError,
    HttpError,
    InvalidResponseError,
    JobFailedError,
    RequestTimeoutError,
} from "@pulumi-static-export/sdk";
import { createTestClient, rejectionOf } from "../support/client.js";
import { FakeClock } from "../../fake-clock.js";
import {
    json,
    loseConnection,
    loseConnectionInBody,
    neverAnswer,
    type RecordedRequest,
    type Reply,
    text,
    withServer,
} from "../support/http-server.js";

const bundleUrl = "https://bucket.example.com/x";
const calls: [string, (client: AdminClient) => Promise<unknown>, Reply][] = [
    ["GET of a job", (client) => client.staticExports.get("se_42"), json(200, { status: "running" })],
    ["POST …/bundle", (client) => client.staticExports.createBundle("se_42"), json(200, { bundleUrl })],
];

for (const [name, call, success] of calls) {
    describe(`${name} is retried`, () => {
        for (const [what, failure] of [
            ["a lost connection", loseConnection],
            ["a connection lost in the middle of the body", loseConnectionInBody],
            ["408", text(408, "")],
            ["429", json(429, { error: "slow down" })],
            ["500", json(500, { error: "oops" })],
            ["502 with an HTML page", text(502, "<html>Bad gateway")],
            ["503", text(503, "")],
            ["504", text(504, "")],
            ["599", text(599, "")],
        ] as const) {
            it(`after ${what}`, async () => {
                await withServer([failure, success], async ({ baseUrl, requests }) => {
                    const { client, clock } = createTestClient(baseUrl);
                    await call(client);
                    assert.equal(requests.length, 2);
                    assert.deepEqual(clock.sleptMs, [500]);
                });
            });
        }

        it("after a request that timed out", async () => {
            await withServer([neverAnswer, success], async ({ baseUrl, requests }) => {
                await call(createTestClient(baseUrl, { requestTimeoutMs: 1000 }).client);
                assert.equal(requests.length, 2);
            });
        });
    });

    describe(`${name} is not retried`, () => {
        for (const status of [400, 401, 403, 404, 410, 422, 499, 600]) {
            it(`after ${status}`, async () => {
                await withServer([json(status, { error: "no" }), success], async ({ baseUrl, requests }) => {
                    const { client, clock } = createTestClient(baseUrl);
                    const error = await rejectionOf<HttpError>(call(client));
                    assert.ok(error instanceof HttpError);
                    assert.deepEqual([error.status, error.serverMessage], [status, "no"]);
                    assert.deepEqual([requests.length, clock.sleptMs], [1, []]);
                });
            });
        }

        it("after a response that breaks the contract", async () => {
            await withServer([json(200, {}), success], async ({ baseUrl, requests }) => {
                assert.ok((await rejectionOf(call(createTestClient(baseUrl).client))) instanceof InvalidResponseError);
                assert.equal(requests.length, 1);
            });
        });
    });
}

describe("Retries", () => {
    it("end with the last error, and double the backoff each time up to a cap", async () => {
        await withServer([text(500, ""), json(502, { error: "last" })], async ({ baseUrl, requests }) => {
            const retry = { maxAttempts: 6, baseMs: 100, capMs: 500 };
            const { client, clock } = createTestClient(baseUrl, { retry });
            const error = await rejectionOf<HttpError>(client.staticExports.get("se_42"));
            assert.deepEqual([error.status, error.serverMessage], [502, "last"]);
            assert.equal(requests.length, 6);
            assert.deepEqual(clock.sleptMs, [100, 200, 400, 500, 500]);
        });
    });

    it("choose a random delay between zero and the full backoff", async () => {
        await withServer([text(500, "")], async ({ baseUrl }) => {
            const { client, clock } = createTestClient(baseUrl, { random: () => 0.25, retry: { maxAttempts: 3 } });
            await rejectionOf(client.staticExports.get("se_42"));
            assert.deepEqual(clock.sleptMs, [125, 250]);
        });
    });

    for (const [header, sleptMs] of [
        ["7", 7_000],
        ["Fri, 20 Nov 2026 00:00:30 GMT", 30_000],
        ["86400", 120_000],
        ["Fri, 20 Nov 2099 00:00:30 GMT", 120_000],
        ["nonsense", 0],
    ] as const) {
        it(`wait ${sleptMs} ms when Retry-After is "${header}"`, async () => {
            const busy = json(429, { error: "slow down" }, { "retry-after": header });
            await withServer([busy, json(200, { status: "running" })], async ({ baseUrl }) => {
                const { client, clock } = createTestClient(baseUrl, { random: () => 0 });
                await client.staticExports.get("se_42");
                assert.deepEqual(clock.sleptMs, [sleptMs]);
            });
        });
    }

    it("do not wait beyond the deadline, but throw the last error immediately", async () => {
        const busy = json(503, { error: "busy" }, { "retry-after": "60" });
        await withServer([busy], async ({ baseUrl, requests }) => {
            const { client, clock } = createTestClient(baseUrl);
            const deadlineMs = clock.now() + 59_000;
            const error = await rejectionOf<HttpError>(client.staticExports.get("se_42", { deadlineMs }));
            assert.deepEqual([error.status, error.retryAfterMs], [503, 60_000]);
            assert.deepEqual([requests.length, clock.sleptMs], [1, []]);
        });
    });

    it("continue after a refused connection, and finally report the refusal", async () => {
        let baseUrl = "";
        await withServer([], async (server) => {
            baseUrl = server.baseUrl;
            await Promise.resolve();
        });
        const { client, clock } = createTestClient(baseUrl);
        const error = await rejectionOf<ConnectionError>(client.staticExports.get("se_42"));
        assert.ok(error instanceof ConnectionError);
        assert.deepEqual([error.failure, error.code, error.neverSent], ["refused", "ECONNREFUSED", true]);
        assert.equal(clock.sleptMs.length, 4);
    });

    it("end after the last attempt if every request times out, and report the timeout", async () => {
        await withServer([neverAnswer], async ({ baseUrl, requests }) => {
            const { client } = createTestClient(baseUrl, { requestTimeoutMs: 500, retry: { maxAttempts: 2 } });
            const error = await rejectionOf<RequestTimeoutError>(client.staticExports.get("se_42"));
            assert.ok(error instanceof RequestTimeoutError);
            assert.equal(error.timeoutMs, 500);
            assert.equal(requests.length, 2);
        });
    });
});

describe("409 on POST …/bundle for a job that has just completed", () => {
    const conflict = json(409, { error: "job has not finished" });
    const linkRequests = (requests: readonly RecordedRequest[]) => requests.filter(({ method }) => method === "POST");

    for (const [what, reply] of [
        ["is still running", json(200, { status: "running" })],
        ["is completed meanwhile", json(200, { status: "completed" })],
        ["cannot be read", json(403, { error: "no" })],
    ] as const) {
        it(`is retried if the job ${what}`, async () => {
            const replies = [conflict, reply, conflict, reply, json(200, { bundleUrl })];
            await withServer(replies, async ({ baseUrl, requests }) => {
                await createTestClient(baseUrl).client.staticExports.createBundle("se_42");
                assert.equal(linkRequests(requests).length, 3);
            });
        });
    }

    it("is not retried if the job has failed, and the error says why", async () => {
        const replies = [conflict, json(200, { status: "failed", error: "cancelled" })];
        await withServer(replies, async ({ baseUrl, requests }) => {
            const { client, clock } = createTestClient(baseUrl);
            const startedMs = clock.now();
            const error = await rejectionOf<JobFailedError>(client.staticExports.createBundle("se_42"));
            assert.ok(error instanceof JobFailedError);
            assert.deepEqual([error.jobId, error.reason], ["se_42", "cancelled"]);
            assert.match(error.message, /^Export job se_42 failed: cancelled .* start a new export/);
            assert.deepEqual([requests.length, clock.now()], [2, startedMs]);
        });
    });

    it("is retried only for a limited time", async () => {
        await withServer([conflict], async ({ baseUrl, requests }) => {
            const { client, clock } = createTestClient(baseUrl);
            const startedMs = clock.now();
            const error = await rejectionOf<HttpError>(client.staticExports.createBundle("se_42"));
            assert.equal(error.status, 409);
            const { length } = linkRequests(requests);
            assert.ok(length > 2 && length < 20, `${length} requests`);
            assert.ok(clock.now() - startedMs <= 60_000, `${clock.now() - startedMs} ms`);
        });
    });
});

describe("An aborted call", () => {
    const reason = new Error("the user pressed Ctrl-C");

    it("rejects with the signal's reason and sends no request if aborted beforehand", async () => {
        await withServer([json(200, { status: "running" })], async ({ baseUrl, requests }) => {
            const { client } = createTestClient(baseUrl);
            const signal = AbortSignal.abort(reason);
            assert.equal(await rejectionOf(client.staticExports.get("se_42", { signal })), reason);
            assert.equal(await rejectionOf(client.staticExports.start({ domain: "d" }, { signal })), reason);
            assert.equal(requests.length, 0);
        });
    });

    for (const [when, reply] of [
        ["while the server does not answer", neverAnswer],
        ["while the body is on its way", (response) => response.writeHead(200).write("{")],
    ] as [string, Reply][]) {
        it(`rejects with the signal's reason and is not retried if aborted ${when}`, async () => {
            const controller = new AbortController();
            const abortingReply: Reply = (response, request) => {
                reply(response, request);
                setImmediate(() => controller.abort(reason));
            };
            await withServer([abortingReply], async ({ baseUrl, requests }) => {
                const { client, clock } = createTestClient(baseUrl);
                const { signal } = controller;
                assert.equal(await rejectionOf(client.staticExports.get("se_42", { signal })), reason);
                assert.deepEqual([requests.length, clock.sleptMs], [1, []]);
            });
        });
    }

    it("rejects with the signal's reason if aborted during a backoff", async () => {
        const controller = new AbortController();
        await withServer([text(500, "")], async ({ baseUrl, requests }) => {
            const clock = new FakeClock("2026-11-20T00:00:00Z");
            const sleep: Clock["sleep"] = (ms, signal) => {
                controller.abort(reason);
                return clock.sleep(ms, signal);
            };
            const { client } = createTestClient(baseUrl, { clock: { now: clock.now, sleep } });
            const error = await rejectionOf(client.staticExports.get("se_42", { signal: controller.signal }));
            assert.equal(error, reason, inspect(error));
            assert.equal(requests.length, 1);
        });
    });
});
