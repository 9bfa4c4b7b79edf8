import assert from "node:assert/strict";
import { inspect } from "node:util";
import { type AdminClient, InvalidResponseError, JobFailedError } from "@pulumi-static-export/sdk";
import { createTestClient, rejectionOf } from "../support/client.js";
import { json, type Reply, text, withServer } from "../support/http-server.js";

type Call = (client: AdminClient) => Promise<unknown>;

const get: Call = (client) => client.staticExports.get("se_42");
const bundle: Call = (client) => client.staticExports.createBundle("se_42");
const agentJob: Call = (client) => client.agentJobs.get("p1", "aj_7");
const link = "https://bucket.example.com/x?sig=5ignature";
const validAgentJob = {
    id: "aj_7",
    status: "active",
    source: { repository: "https://git.example.com/docs", ref: null },
    model: "m",
    prLink: null,
    createdAt: "2026-11-20T12:00:00Z",
    archivedAt: null,
};

const cases: [string, Call, Reply, RegExp][] = [
    ["an empty body", get, text(200, ""), /but the answer is empty/],
    ["white space", get, text(200, " \n"), /but the answer is empty/],
    ["an HTML page", get, text(200, "<!doctype html><p>Sign in", { "content-type": "text/html" }), /is an HTML page/],
    ["an HTML page that calls itself JSON", get, text(200, "\n <html>", {}), /is an HTML page/],
    ["truncated JSON", get, text(200, '{"status":"comp'), /is incomplete or broken JSON/],
    ["truncated JSON after white space", get, text(200, ' \n {"status":'), /is incomplete or broken JSON/],
    ["plain text", get, text(200, "OK"), /but the answer is not JSON/],
    ["plain text with a bracket", get, text(200, "OK {"), /but the answer is not JSON/],
    ["plain text with a tag", get, text(200, "OK <b>"), /but the answer is not JSON/],
    ["an array", get, json(200, []), /the answer must be a JSON object, got an array/],
    ["null", get, json(200, null), /the answer must be a JSON object, got null/],
    ["a job without a status", get, json(200, { jobId: "se_42" }), /"status" must be a non-empty string, got nothing/],
    ["a status that is a number", get, json(200, { status: 3 }), /"status" must be .* got a value of type number/],
    ["an empty status", get, json(200, { status: "" }), /"status" must be .* got an empty string/],
    ["the id of another job", get, json(200, { jobId: "se_43", status: "completed" }), /got the id of another job/],
    ["an id that cannot be shown", get, json(200, { jobId: "se\n42", status: "x" }), /"jobId" must be an id/],
    ["more than 4 MiB", get, text(200, `{"status":"${"x".repeat(4 * 1024 * 1024)}"}`), /is longer than 4194304 bytes/],
    ["a bundle without a link", bundle, json(200, {}), /"bundleUrl" must be a non-empty string, got nothing/],
    ["a link that is no address", bundle, json(200, { bundleUrl: "x?sig=5ignature" }), /"bundleUrl" must be an http/],
    ["a link to a file", bundle, json(200, { bundleUrl: "file:///5ignature" }), /"bundleUrl" must be an http/],
    [
        "an agent job without a source",
        agentJob,
        json(200, { ...validAgentJob, source: null }),
        /"source" must be a JSON/,
    ],
    [
        "an agent job without a model",
        agentJob,
        json(200, { ...validAgentJob, model: undefined }),
        /"model" must be a non/,
    ],
    [
        "a prLink that is no string",
        agentJob,
        json(200, { ...validAgentJob, prLink: 1 }),
        /"prLink" must be a string or null/,
    ],
];

describe("A response that breaks the contract causes a typed error", () => {
    for (const [what, call, reply, message] of cases) {
        it(`for ${what}`, async () => {
            await withServer([reply], async ({ baseUrl, requests }) => {
                const error = await rejectionOf<InvalidResponseError>(call(createTestClient(baseUrl).client));
                assert.ok(error instanceof InvalidResponseError, inspect(error));
                assert.match(error.message, message);
                assert.equal(error.status, 200);
                assert.equal(error.operation, `${requests[0]?.method} ${requests[0]?.url}`);
                assert.equal(error.url, `${baseUrl}${requests[0]?.url}`);
                assert.ok(error.message.includes(`(${error.operation} at ${baseUrl})`));
                assert.doesNotMatch(inspect(error), /5ignature/);
            });
        });
    }
});

describe("An invalid field that the contract does not guarantee is treated as missing", () => {
    const odd: Record<string, unknown>[] = [{ error: "" }, { error: {} }, { createdAt: 1790000000, updatedAt: "now" }];
    for (const fields of odd) {
        it(`in the response to a start: ${JSON.stringify(fields)}`, async () => {
            await withServer([json(202, { jobId: "se_42", status: 7, ...fields })], async ({ baseUrl }) => {
                const started = await createTestClient(baseUrl).client.staticExports.start({
                    domain: "docs.example.com",
                });
                assert.deepEqual(started, { jobId: "se_42" });
            });
        });

        it(`in a job: ${JSON.stringify(fields)}`, async () => {
            await withServer([json(200, { status: "running", ...fields })], async ({ baseUrl }) => {
                assert.deepEqual(await get(createTestClient(baseUrl).client), { jobId: "se_42", status: "running" });
            });
        });
    }

    it("in a bundle, so that its expiry is read from its link", async () => {
        const dated = `${link}&X-Amz-Date=20261120T120000Z&X-Amz-Expires=60`;
        const reply = json(200, { bundleUrl: dated, expiresAt: 1, sizeBytes: -1 }, { date: "" });
        await withServer([reply], async ({ baseUrl }) => {
            const { expiresAt, sizeBytes } = await createTestClient(baseUrl).client.staticExports.createBundle("se_42");
            assert.deepEqual([expiresAt, sizeBytes], ["2026-11-20T12:01:00.000Z", undefined]);
        });
    });

    it("in a failed job with an empty reason, which still fails", async () => {
        await withServer([json(200, { status: "failed", error: "" })], async ({ baseUrl }) => {
            const wait = createTestClient(baseUrl).client.staticExports.pollUntilDone("se_42");
            assert.ok((await rejectionOf(wait)) instanceof JobFailedError);
        });
    });
});

it("A job id that is a number is converted to its digits", async () => {
    await withServer([json(202, { jobId: 42 }), json(200, { jobId: 42, status: "queued" })], async ({ baseUrl }) => {
        const { staticExports } = createTestClient(baseUrl).client;
        const { jobId } = await staticExports.start({ domain: "docs.example.com" });
        assert.deepEqual(await staticExports.get(jobId), { jobId: "42", status: "queued" });
    });
});
