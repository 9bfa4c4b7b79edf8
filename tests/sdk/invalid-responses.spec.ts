import assert from "node:assert/strict";
import { inspect } from "node:util";
import { type AdminClient, InvalidResponseError } from "@pulumi-static-export/sdk";
import { createTestClient, rejectionOf } from "./support/client.js";
import { json, type Reply, text, withServer } from "./support/http-server.js";

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
    ["an HTML page", get, text(200, "<!doctype html><p>Sign in", { "content-type": "text/html" }), /is an HTML page/],
    ["an HTML page that calls itself JSON", get, text(200, "\n <html>", {}), /is an HTML page/],
    ["truncated JSON", get, text(200, '{"status":"comp'), /is incomplete or broken JSON/],
    ["plain text", get, text(200, "OK"), /is not JSON/],
    ["an array", get, json(200, []), /the answer must be a JSON object, got an array/],
    ["null", get, json(200, null), /the answer must be a JSON object, got null/],
    ["a job without a status", get, json(200, { jobId: "se_42" }), /"status" must be a non-empty string, got nothing/],
    ["a status that is a number", get, json(200, { status: 3 }), /"status" must be .* got a value of type number/],
    ["an empty status", get, json(200, { status: "" }), /"status" must be .* got an empty string/],
    ["the id of another job", get, json(200, { jobId: "se_43", status: "completed" }), /got the id of another job/],
    ["an id that cannot be shown", get, json(200, { jobId: "se\n42", status: "x" }), /"jobId" must be an id/],
    ["a date that is none", get, json(200, { status: "running", createdAt: "now" }), /"createdAt" must be a date-time/],
    [
        "an error that is no string",
        get,
        json(200, { status: "failed", error: {} }),
        /"error" must be a non-empty string/,
    ],
    ["more than 4 MiB", get, text(200, `{"status":"${"x".repeat(4 * 1024 * 1024)}"}`), /is longer than 4194304 bytes/],
    ["a bundle without a link", bundle, json(200, {}), /"bundleUrl" must be a non-empty string, got nothing/],
    ["a link that is no address", bundle, json(200, { bundleUrl: "x?sig=5ignature" }), /"bundleUrl" must be an http/],
    ["a link to a file", bundle, json(200, { bundleUrl: "file:///5ignature" }), /"bundleUrl" must be an http/],
    ["a negative size", bundle, json(200, { bundleUrl: link, sizeBytes: -1 }), /"sizeBytes" must be a whole number/],
    [
        "an expiry that is no date",
        bundle,
        json(200, { bundleUrl: link, expiresAt: 1 }),
        /"expiresAt" must be a non-empty/,
    ],
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

describe("An answer that breaks the contract gives a typed error", () => {
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
