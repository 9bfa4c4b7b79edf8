import assert from "node:assert/strict";
import { createTestClient, rejectionOf } from "../support/client.js";
import { json, loseConnection, withServer } from "../support/http-server.js";

const lastExport = { jobId: "se_42", updatedAt: "2026-11-20T12:00:00Z", pageCount: 7 };
const docs = { domain: "docs.example.com", state: "current", lastExport };
const empty = { domain: "new.example.com", state: "never", lastExport: null };

describe("sites", () => {
    it("list returns the sites of all pages", async () => {
        const replies = [json(200, { sites: [docs], next: "c2" }), json(200, { sites: [empty] })];
        await withServer(replies, async ({ baseUrl, requests }) => {
            const { sites } = createTestClient(baseUrl).client;
            assert.deepEqual(await sites.list({ search: "example" }), [docs, empty]);
            assert.deepEqual(
                requests.map(({ method, url }) => `${method} ${url}`),
                [
                    "GET /v1/sites?search=example&limit=1000&cursor=0",
                    "GET /v1/sites?search=example&limit=1000&cursor=c2",
                ],
            );
        });
    });

    it("usage returns the stored bundles of each domain", async () => {
        const used = [{ domain: "docs.example.com", bundles: 2, bytes: 5000 }];
        await withServer([loseConnection, json(200, { sites: used })], async ({ baseUrl, requests }) => {
            assert.deepEqual(await createTestClient(baseUrl).client.sites.usage(), used);
            assert.deepEqual([requests[1]?.method, requests[1]?.url], ["GET", "/v1/usage"]);
        });
    });

    it("statistics returns the exports of each site or key", async () => {
        const rows = [{ name: "ci", exports: 3, failed: 1, pages: 14 }];
        await withServer([json(200, { rows })], async ({ baseUrl, requests }) => {
            assert.deepEqual(await createTestClient(baseUrl).client.sites.statistics("key", 7), rows);
            assert.equal(requests[0]?.url, "/v1/statistics?by=key&days=7");
        });
    });

    for (const runningJobs of [undefined, ["se_43"]]) {
        it(`remove reports ${runningJobs === undefined ? "that no job runs" : "the jobs that still run"}`, async () => {
            const answer = json(200, { removedJobs: 4, ...(runningJobs && { runningJobs }) });
            await withServer([answer], async ({ baseUrl, requests }) => {
                const removed = await createTestClient(baseUrl).client.sites.remove("docs.example.com");
                assert.deepEqual(removed, { removedJobs: 4, runningJobs: runningJobs ?? [] });
                assert.deepEqual([requests[0]?.method, requests[0]?.url], ["DELETE", "/v1/sites/docs.example.com"]);
            });
        });
    }

    for (const status of [404, 405]) {
        it(`remove names the domain and the service that it needs if the response is ${status}`, async () => {
            await withServer([json(status, { error: "no" })], async ({ baseUrl }) => {
                const { message } = await rejectionOf(
                    createTestClient(baseUrl).client.sites.remove("docs.example.com"),
                );
                assert.match(
                    message,
                    /^Administration of docs\.example\.com: .*only the self-hosted service offers this/,
                );
            });
        });
    }
});
