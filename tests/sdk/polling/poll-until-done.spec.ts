import assert from "node:assert/strict";
import { inspect } from "node:util";
import {
    ConnectionError,
    HttpError,
    InvalidResponseError,
    JobFailedError,
    PollTimeoutError,
    type StaticExportError,
    type PlatformExportJob,
} from "@pulumi-static-export/sdk";
import { createTestClient, rejectionOf } from "../support/client.js";
import { json, loseConnection, type Reply, text, withServer } from "../support/http-server.js";

const running = (progress: number) => json(200, { jobId: "se_42", status: "running", progress, pageCount: progress });
const completed = json(200, { jobId: "se_42", status: "completed", progress: 100, pageCount: 31 });
const domain = "docs.example.com";

describe("staticExports.pollUntilDone", () => {
    it("polls immediately and then repeatedly until the job is completed, and reports its progress", async () => {
        const queued = json(200, { status: "queued" });
        await withServer([queued, running(10), running(60), completed], async ({ baseUrl, requests }) => {
            const { client } = createTestClient(baseUrl);
            const seen: PlatformExportJob[] = [];
            const job = await client.staticExports.pollUntilDone("se_42", { onProgress: (at) => seen.push(at) });
            assert.deepEqual(job, { jobId: "se_42", status: "completed", progress: 100, pageCount: 31 });
            assert.deepEqual(
                seen.map(({ status, progress }) => [status, progress]),
                [
                    ["queued", undefined],
                    ["running", 10],
                    ["running", 60],
                    ["completed", 100],
                ],
            );
            assert.equal(requests.length, 4);
        });
    });

    it("rejects with the job's own message when it failed", async () => {
        const failed = json(200, { status: "failed", error: "quota\nexceeded, see https://x.example.com/?sig=1" });
        await withServer([running(10), failed], async ({ baseUrl }) => {
            const { client } = createTestClient(baseUrl);
            const error = await rejectionOf<JobFailedError>(client.staticExports.pollUntilDone("se_42", { domain }));
            assert.ok(error instanceof JobFailedError, inspect(error));
            assert.equal(error.reason, "quota exceeded, see https://x.example.com/");
            assert.deepEqual([error.jobId, error.domain], ["se_42", domain]);
        });
    });

    it("keeps polling at a normal pace while the status is unknown", async () => {
        const unknown = json(200, { status: "compressing" });
        await withServer([...Array<Reply>(8).fill(unknown), completed], async ({ baseUrl, requests }) => {
            const { client, clock } = createTestClient(baseUrl);
            const job = await client.staticExports.pollUntilDone("se_42");
            assert.equal(job.status, "completed");
            assert.equal(requests.length, 9);
            assert.ok(
                clock.sleptMs.every((ms) => ms >= 100),
                `slept ${clock.sleptMs.join()}`,
            );
            assert.equal(clock.sleptMs.at(-1), 20_000);
        });
    });

    it("obeys Retry-After for a running job, within limits", async () => {
        const busy = (seconds: string) => json(200, { status: "running" }, { "retry-after": seconds });
        await withServer([busy("30"), busy("99999"), completed], async ({ baseUrl }) => {
            const { client, clock } = createTestClient(baseUrl);
            await client.staticExports.pollUntilDone("se_42");
            assert.deepEqual(clock.sleptMs, [30_000, 120_000]);
        });
    });

    it("continues after repeated transient failures, and reports the failures", async () => {
        const storm = [loseConnection, text(502, "<html>"), text(503, ""), text(429, ""), text(200, '{"sta')];
        await withServer([running(10), ...storm, ...storm, completed], async ({ baseUrl }) => {
            const { client } = createTestClient(baseUrl);
            const failures: StaticExportError[] = [];
            const onRetry = (error: StaticExportError) => failures.push(error);
            const job = await client.staticExports.pollUntilDone("se_42", { onRetry });
            assert.equal(job.status, "completed");
            assert.deepEqual(
                failures.slice(0, 5).map(({ name }) => name),
                ["ConnectionError", "HttpError", "HttpError", "HttpError", "InvalidResponseError"],
            );
        });
    });

    it("gives up after three consecutive responses that break the contract", async () => {
        const page = text(200, "<html>Sign in");
        await withServer([running(10), page], async ({ baseUrl, requests }) => {
            const { client } = createTestClient(baseUrl);
            const error = await rejectionOf<InvalidResponseError>(client.staticExports.pollUntilDone("se_42"));
            assert.ok(error instanceof InvalidResponseError);
            assert.deepEqual([error.jobId, requests.length], ["se_42", 4]);
        });
    });

    for (const status of [401, 403]) {
        it(`fails immediately after ${status}, and the error contains the job id`, async () => {
            await withServer([running(10), json(status, { error: "no" }), completed], async ({ baseUrl, requests }) => {
                const { client } = createTestClient(baseUrl);
                const error = await rejectionOf<HttpError>(client.staticExports.pollUntilDone("se_42", { domain }));
                assert.ok(error instanceof HttpError);
                assert.deepEqual([error.status, error.jobId, error.domain], [status, "se_42", domain]);
                assert.equal(requests.length, 2);
            });
        });
    }

    it("fails after the API has answered 404 twice, some seconds apart", async () => {
        const missing = json(404, { error: "no such job" });
        await withServer([running(10), missing, running(20), missing, missing], async ({ baseUrl, requests }) => {
            const { client, clock } = createTestClient(baseUrl);
            let askedAtMs = 0;
            const onRetry = () => (askedAtMs = clock.now());
            const error = await rejectionOf<HttpError>(
                client.staticExports.pollUntilDone("se_42", { domain, onRetry }),
            );
            assert.deepEqual([error.status, error.jobId, error.domain], [404, "se_42", domain]);
            assert.equal(requests.length, 5);
            assert.ok(clock.now() - askedAtMs >= 5000);
        });
    });

    it("continues after 404 from a gateway, whose server may come back", async () => {
        const gone = text(404, "default backend - 404");
        await withServer([running(10), gone, gone, gone, completed], async ({ baseUrl }) => {
            const { client } = createTestClient(baseUrl);
            assert.equal((await client.staticExports.pollUntilDone("se_42")).status, "completed");
        });
    });

    it("fails after a gateway has answered 404 ten times in a row", async () => {
        const gone = text(404, "default backend - 404");
        const nearly = Array<Reply>(9).fill(gone);
        await withServer([running(10), ...nearly, running(20), ...nearly, gone], async ({ baseUrl, requests }) => {
            const { client } = createTestClient(baseUrl);
            const error = await rejectionOf<HttpError>(client.staticExports.pollUntilDone("se_42"));
            assert.deepEqual([error.status, error.isOfApi, requests.length], [404, false, 21]);
        });
    });

    it("gives up only if responses that break the contract follow each other", async () => {
        const page = text(200, "<html>Sign in");
        const replies = [page, page, running(10), page, page, completed];
        await withServer(replies, async ({ baseUrl }) => {
            const { client } = createTestClient(baseUrl);
            assert.equal((await client.staticExports.pollUntilDone("se_42")).status, "completed");
        });
    });

    it("slows down again only for further unknown statuses after a known one", async () => {
        const unknown = Array<Reply>(8).fill(json(200, { status: "compressing" }));
        const known = json(200, { status: "running" });
        await withServer([...unknown, known, ...unknown.slice(0, 1), completed], async ({ baseUrl }) => {
            const { client, clock } = createTestClient(baseUrl);
            await client.staticExports.pollUntilDone("se_42");
            assert.deepEqual(clock.sleptMs.slice(-3), [20_000, 10_000, 10_000]);
        });
    });

    it("rejects with the signal's reason if aborted while the server does not answer", async () => {
        const reason = new Error("stop");
        const controller = new AbortController();
        const fetch = () => new Promise<never>(() => setImmediate(() => controller.abort(reason)));
        const { client } = createTestClient("https://api.example.com", { fetch });
        const { signal } = controller;
        assert.equal(await rejectionOf(client.staticExports.pollUntilDone("se_42", { signal })), reason);
    });

    it("times out after an hour by default", async () => {
        const fetch = () => Promise.resolve(Response.json({ status: "running" }));
        const { client } = createTestClient("https://api.example.com", { fetch });
        const error = await rejectionOf<PollTimeoutError>(client.staticExports.pollUntilDone("se_42"));
        assert.equal(error.waitedMs, 3_600_000);
    });

    it("times out at its deadline with the last status and the job id needed to resume", async () => {
        await withServer([running(10)], async ({ baseUrl }) => {
            const { client, clock } = createTestClient(baseUrl);
            const startedMs = clock.now();
            const wait = client.staticExports.pollUntilDone("se_42", { timeoutMs: 60_000 });
            const error = await rejectionOf<PollTimeoutError>(wait);
            assert.ok(error instanceof PollTimeoutError, inspect(error));
            assert.deepEqual([error.jobId, error.lastStatus, error.waitedMs], ["se_42", "running", 60_000]);
            assert.equal(clock.now() - startedMs, 60_000);
        });
    });

    it("times out at its timeout or at its deadline, whichever is earlier", async () => {
        await withServer([running(10)], async ({ baseUrl }) => {
            const { client, clock } = createTestClient(baseUrl);
            const options = { timeoutMs: 60_000, deadlineMs: clock.now() + 5_000 };
            const error = await rejectionOf<PollTimeoutError>(client.staticExports.pollUntilDone("se_42", options));
            assert.equal(error.waitedMs, 5_000);
        });
    });

    it("times out during repeated failures, with the last failure as the cause", async () => {
        await withServer([text(503, "")], async ({ baseUrl }) => {
            const { client } = createTestClient(baseUrl);
            const wait = client.staticExports.pollUntilDone("se_42", { timeoutMs: 60_000 });
            const error = await rejectionOf<PollTimeoutError>(wait);
            assert.ok(error instanceof PollTimeoutError);
            assert.equal(error.lastStatus, undefined);
            assert.ok(error.cause instanceof HttpError);
        });
    });

    it("fails immediately if the certificate is not trusted", async () => {
        const cause = Object.assign(new Error("certificate has expired"), { code: "CERT_HAS_EXPIRED" });
        const { client } = createTestClient("https://api.example.com", { fetch: () => Promise.reject(cause) });
        const error = await rejectionOf<ConnectionError>(client.staticExports.pollUntilDone("se_42"));
        assert.ok(error instanceof ConnectionError);
        assert.deepEqual([error.failure, error.jobId], ["tls", "se_42"]);
    });
});
