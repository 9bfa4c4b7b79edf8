import assert from "node:assert/strict";
import { JobFailedError, PollTimeoutError } from "@pulumi-static-export/sdk";
import { createTestClient, rejectionOf } from "../support/client.js";
import { json, withServer } from "../support/http-server.js";

const job = {
    id: "aj_7",
    status: "active",
    source: { repository: "https://git.example.com/docs", ref: "agent/fix" },
    model: "m",
    prLink: null,
    createdAt: "2026-11-20T12:00:00Z",
    archivedAt: null,
};

describe("agentJobs", () => {
    it("get returns every field of the contract and drops all other fields", async () => {
        await withServer([json(200, { ...job, extra: 1 })], async ({ baseUrl, requests }) => {
            assert.deepEqual(await createTestClient(baseUrl).client.agentJobs.get("p1", "aj_7"), job);
            assert.deepEqual([requests[0]?.method, requests[0]?.url], ["GET", "/v2/agent/p1/job/aj_7"]);
        });
    });

    it("get treats a missing nullable field as null", async () => {
        const { id, status, model, createdAt } = job;
        const answer = { id, status, model, createdAt, source: { repository: "r" } };
        await withServer([json(200, answer)], async ({ baseUrl }) => {
            const got = await createTestClient(baseUrl).client.agentJobs.get("p1", "aj_7");
            assert.deepEqual(got, {
                ...answer,
                source: { repository: "r", ref: null },
                prLink: null,
                archivedAt: null,
            });
        });
    });

    it("create posts the prompt", async () => {
        await withServer([json(201, job)], async ({ baseUrl, requests }) => {
            const { client } = createTestClient(baseUrl);
            assert.deepEqual(await client.agentJobs.create("p1", { prompt: "fix it" }), job);
            const [{ method, url, body }] = requests as [(typeof requests)[0]];
            assert.deepEqual([method, url, body], ["POST", "/v2/agent/p1/job", '{"prompt":"fix it"}']);
        });
    });

    it("sendMessage posts the prompt to the job", async () => {
        await withServer([json(200, job)], async ({ baseUrl, requests }) => {
            const { client } = createTestClient(baseUrl);
            assert.deepEqual(await client.agentJobs.sendMessage("p1", "aj_7", { prompt: "and that" }), job);
            const [{ method, url, body }] = requests as [(typeof requests)[0]];
            assert.deepEqual([method, url, body], ["POST", "/v2/agent/p1/job/aj_7/message", '{"prompt":"and that"}']);
        });
    });

    for (const status of ["completed", "archived", "failed"]) {
        it(`pollUntilDone ends with ${status}`, async () => {
            await withServer([json(200, job), json(200, { ...job, status })], async ({ baseUrl, requests }) => {
                const done = await createTestClient(baseUrl).client.agentJobs.pollUntilDone("p1", "aj_7");
                assert.equal(done.status, status);
                assert.equal(requests.length, 2);
            });
        });
    }

    it("pollUntilDone rejects a failed job if the caller asks for it", async () => {
        await withServer([json(200, { ...job, status: "failed" })], async ({ baseUrl }) => {
            const { agentJobs } = createTestClient(baseUrl).client;
            const wait = agentJobs.pollUntilDone("p1", "aj_7", { rejectFailed: true });
            const error = await rejectionOf<JobFailedError>(wait);
            assert.ok(error instanceof JobFailedError);
            assert.deepEqual([error.jobId, error.reason], ["aj_7", undefined]);
        });
    });

    it("pollUntilDone waits after a message until the old result has disappeared", async () => {
        const ended = json(200, { ...job, status: "failed" });
        const replies = [ended, ended, json(200, job), json(200, { ...job, status: "completed" })];
        await withServer(replies, async ({ baseUrl, requests }) => {
            const { agentJobs } = createTestClient(baseUrl).client;
            const done = await agentJobs.pollUntilDone("p1", "aj_7", { afterMessage: true });
            assert.deepEqual([done.status, requests.length], ["completed", 4]);
        });
    });

    it("pollUntilDone accepts a result that is still shown 15 seconds after a message as the new result", async () => {
        await withServer([json(200, { ...job, status: "completed" })], async ({ baseUrl }) => {
            const { client, clock } = createTestClient(baseUrl);
            const startedMs = clock.now();
            await client.agentJobs.pollUntilDone("p1", "aj_7", { afterMessage: true });
            const waitedMs = clock.now() - startedMs;
            assert.ok(waitedMs >= 15_000 && waitedMs < 30_000, `${waitedMs} ms`);
        });
    });

    it("pollUntilDone ends immediately after a message if the job is archived", async () => {
        await withServer([json(200, { ...job, status: "archived" })], async ({ baseUrl, requests }) => {
            const { agentJobs } = createTestClient(baseUrl).client;
            await agentJobs.pollUntilDone("p1", "aj_7", { afterMessage: true });
            assert.equal(requests.length, 1);
        });
    });

    it("list requests the newest 20 jobs, or those of a project and a status", async () => {
        const { id, status, prLink, createdAt } = job;
        const listed = { id, projectId: "p1", status, prompt: "fix it", prLink, createdAt };
        await withServer([json(200, { jobs: [] }), json(200, { jobs: [listed] })], async ({ baseUrl, requests }) => {
            const { agentJobs } = createTestClient(baseUrl).client;
            assert.deepEqual(await agentJobs.list(), []);
            assert.deepEqual(await agentJobs.list({ project: "p1", status: "active", limit: 3 }), [listed]);
            assert.deepEqual(
                requests.map(({ url }) => url),
                ["/v2/agent/jobs?limit=20", "/v2/agent/jobs?project=p1&status=active&limit=3"],
            );
        });
    });

    it("log requests the log from a byte on", async () => {
        const answer = { text: "one\ntwo\n", next: 8, isStored: true };
        await withServer([json(200, answer)], async ({ baseUrl, requests }) => {
            const { agentJobs } = createTestClient(baseUrl).client;
            const read = { lines: ["one", "two"], next: 8, isStored: true };
            assert.deepEqual(await agentJobs.log("p1", "aj_7"), read);
            await agentJobs.log("p1", "aj_7", 8);
            assert.deepEqual(
                requests.map(({ url }) => url),
                ["/v2/agent/p1/job/aj_7/log?from=0", "/v2/agent/p1/job/aj_7/log?from=8"],
            );
        });
    });

    it("archive posts to the job", async () => {
        await withServer([json(200, { ...job, status: "archived" })], async ({ baseUrl, requests }) => {
            const archived = await createTestClient(baseUrl).client.agentJobs.archive("p1", "aj_7");
            assert.equal(archived.status, "archived");
            assert.deepEqual([requests[0]?.method, requests[0]?.url], ["POST", "/v2/agent/p1/job/aj_7/archive"]);
        });
    });

    it("pollUntilDone treats an unknown status as not done", async () => {
        await withServer([json(200, { ...job, status: "paused" })], async ({ baseUrl }) => {
            const { agentJobs } = createTestClient(baseUrl).client;
            const error = await rejectionOf<PollTimeoutError>(
                agentJobs.pollUntilDone("p1", "aj_7", { timeoutMs: 90_000 }),
            );
            assert.ok(error instanceof PollTimeoutError);
            assert.deepEqual([error.jobId, error.lastStatus], ["aj_7", "paused"]);
        });
    });
});
