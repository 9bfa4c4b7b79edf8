import assert from "node:assert/strict";
import { AdminClient, HttpError, JobFailedError, PollTimeoutError, systemClock } from "@pulumi-static-export/sdk";
import { MockServer } from "./support/mock-server.js";

const document = new URL("fixtures/published-updates.yaml", import.meta.url);
const adminApiKey = "contract_0123456789abcdef";
const statusId = "6501a2b3c4d5e6f7a8b9c0d1";
const sha = "4f2a9c10aaaabbbbccccddddeeeeffff00001111";

describe("Documentation updates with the sdk, against a server that implements the published document,", () => {
    let mock: MockServer;
    let client: AdminClient;
    beforeEach(async () => {
        mock = await MockServer.start(document, adminApiKey);
        const sleep: typeof systemClock.sleep = (ms, signal) => systemClock.sleep(Math.min(ms, 5), signal);
        client = new AdminClient({ baseUrl: mock.url, adminApiKey, clock: { ...systemClock, sleep } });
    });
    afterEach(() => {
        client.close();
        mock.stop();
        assert.deepEqual(mock.problems, []);
    });

    for (const fields of ["every", "null"] as const) {
        it(`are started and polled until they end, with ${fields === "every" ? "every field" : "null where allowed"}`, async () => {
            mock.fields = fields;
            mock.values.set("status", ["queued", "in_progress", "success"]);
            const started = await client.documentationUpdates.start("docs");
            assert.equal(started.statusId, statusId);
            const statuses: string[] = [];
            const onProgress = ({ status }: { status: string }) => void statuses.push(status);
            const update = await client.documentationUpdates.pollUntilDone(statusId, { timeoutMs: 10_000, onProgress });
            assert.deepEqual(statuses.slice(0, 2), ["queued", "in_progress"]);
            assert.deepEqual([update.status, update.summary], ["success", "The build is done"]);
            assert.deepEqual(update.commit, {
                sha,
                ref: "main",
                message: "Describe the keys",
                filesChanged: { added: 1, modified: 1, removed: 1, paths: ["keys.mdx", "index.mdx", "old.mdx"] },
            });
        });
    }

    it("report the summary and the log when they fail", async () => {
        mock.values.set("status", ["in_progress", "failure"]);
        await assert.rejects(
            client.documentationUpdates.pollUntilDone(statusId, { timeoutMs: 10_000 }),
            (error: unknown) =>
                error instanceof JobFailedError &&
                /failed: The build is done; last log lines: Building/.test(error.message),
        );
    });

    it("have no status if the response has no status field, and are polled until the deadline", async () => {
        mock.fields = "required";
        assert.deepEqual(await client.documentationUpdates.get(statusId), { statusId, status: "unknown" });
        await assert.rejects(client.documentationUpdates.pollUntilDone(statusId, { timeoutMs: 50 }), PollTimeoutError);
    });

    it("preview a branch", async () => {
        const { previewUrl } = await client.documentationUpdates.startPreview("docs", { branch: "draft" });
        assert.equal(previewUrl, "https://docs-draft.example.com");
    });

    it("reject a preview without a branch, as the document requires", async () => {
        await assert.rejects(client.documentationUpdates.startPreview("docs", { branch: "" }), HttpError);
        assert.deepEqual(mock.problems.splice(0), ["POST /v1/project/preview/docs: the body is not as documented"]);
    });
});
