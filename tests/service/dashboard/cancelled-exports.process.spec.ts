import assert from "node:assert/strict";
import { adminApiKey, domain, type RunningService } from "../support/running-service.js";
import { waitUntil } from "../../wait-until.js";
import { ScriptedExporter } from "../support/scripted-exporter.js";
import { makeKey, page, signIn, type Viewer, withDashboard } from "./support/viewer.js";

async function withCancelled(
    use: (running: RunningService, viewer: Viewer, jobId: string, exporter: ScriptedExporter) => Promise<void>,
): Promise<void> {
    const exporter = new ScriptedExporter();
    await withDashboard(
        async (running) => {
            const viewer = await signIn(running, adminApiKey);
            const jobId = await running.start();
            await exporter.nth(1);
            const path = `${page}/jobs/${jobId}/cancel`;
            const { status } = await viewer.post(path, { reason: "A wrong\nbranch" }, path);
            assert.equal(status, 303);
            await waitUntil("the export has stopped", async () => {
                const { body } = await running.request("GET", `/v1/static-export/jobs/${jobId}`);
                return body["status"] === "failed" ? true : undefined;
            });
            await use(running, viewer, jobId, exporter);
        },
        { exporter },
    );
}

describe("A cancelled export", () => {
    it("is failed for clients of the API, with who cancelled it and why", async () => {
        await withCancelled(async ({ request }, _viewer, jobId) => {
            const { body } = await request("GET", `/v1/static-export/jobs/${jobId}/details`);
            const error = "Cancelled by a client with the key of the service: A wrong branch";
            assert.deepEqual([body["status"], body["cancelled"], body["error"]], ["failed", true, error]);
        });
    });

    it("is cancelled on pages, which keep its steps and its last lines", async () => {
        await withCancelled(async (_running, viewer, jobId) => {
            const { text } = await viewer.get(`${page}/jobs/${jobId}`);
            assert.match(text, /class="status cancelled"/);
            assert.doesNotMatch(text, /Why it failed/);
            assert.match(text, /Cancelled by .*: A wrong branch/);
            assert.match(text, /Exports the pages\./);
            assert.match(text, /Ended without a result: it was stopped/);
            assert.match(text, /aria-label="export"/);
        });
    });

    it("does not make its site failed", async () => {
        await withCancelled(async ({ request }, viewer) => {
            const { body } = await request("GET", `/v1/sites/${domain}`);
            assert.equal(body["state"], "cancelled");
            assert.match((await viewer.get(`${page}/sites`)).text, /class="status cancelled"/);
        });
    });

    it("is found by its own filter, and not among failed exports", async () => {
        await withCancelled(async ({ start, request }, viewer, jobId, exporter) => {
            const failed = await start();
            (await exporter.nth(2)).fail(new Error("guide.md:12: unclosed tag"));
            await waitUntil("the export has failed", async () => {
                const { body } = await request("GET", `/v1/static-export/jobs/${failed}`);
                return body["status"] === "failed" ? true : undefined;
            });
            const found = async (status: string) => {
                const { body } = await request("GET", `/v1/static-export/jobs?status=${status}`);
                return (body["jobs"] as { jobId: string }[]).map((job) => job.jobId);
            };
            assert.deepEqual(await found("failed"), [failed]);
            assert.deepEqual(await found("cancelled"), [jobId]);
            assert.deepEqual(await found("failed,cancelled"), [failed, jobId]);
            assert.deepEqual(await found("cancelled,queued"), [jobId]);
            const { text } = await viewer.get(`${page}/jobs?status=cancelled`);
            assert.ok(text.includes(jobId) && !text.includes(failed));
            const { body } = await request("GET", "/v1/statistics");
            const [row] = body["rows"] as Record<string, number>[];
            assert.deepEqual([row?.["exports"], row?.["failed"], row?.["cancelled"]], [2, 1, 1]);
        });
    });
});

describe("A failed export", () => {
    it("is exported again with the same version and paths, once for a double click", async () => {
        const exporter = new ScriptedExporter();
        await withDashboard(
            async ({ request, reaches, ...running }) => {
                const json = { domain, version: "2.1", paths: ["guides"] };
                const { body } = await request("POST", "/v1/static-export/jobs", { json });
                const failed = String(body["jobId"]);
                (await exporter.nth(1)).fail(new Error("guide.md:12: unclosed tag"));
                await reaches(failed, "failed");
                const viewer = await signIn(running, adminApiKey);
                const path = `${page}/jobs/${failed}`;
                const [, once = ""] = /name="request" value="([^"]+)"/.exec((await viewer.get(path)).text) ?? [];
                const answers = [
                    await viewer.post(`${path}/retry`, { request: once }, path),
                    await viewer.post(`${path}/retry`, { request: once }, path),
                ];
                const [retried, again] = answers.map(({ headers }) => headers.get("location")?.split("/").at(-1));
                assert.equal(again, retried);
                const details = await request("GET", `/v1/static-export/jobs/${retried}/details`);
                assert.notEqual(retried, failed);
                assert.deepEqual([details.body["version"], details.body["paths"]], ["2.1", ["guides"]]);
            },
            { exporter },
        );
    });

    it("cannot be exported again by a key that only reads", async () => {
        await withCancelled(async (running, _viewer, jobId) => {
            const { secret } = await makeKey(running, { name: "reader", scopes: ["read"] });
            const viewer = await signIn(running, secret);
            const path = `${page}/jobs/${jobId}`;
            assert.doesNotMatch((await viewer.get(path)).text, /Export again/);
            assert.equal((await viewer.post(`${path}/retry`, {}, path)).status, 403);
        });
    });
});

describe("The dashboard's lists", () => {
    it("keep the chosen state in a search", async () => {
        await withDashboard(async (running) => {
            const viewer = await signIn(running, adminApiKey);
            const { text } = await viewer.get(`${page}/sites?state=never&search=docs`);
            assert.match(text, /<input type="hidden" name="state" value="never"/);
        });
    });

    it("say how many warnings they leave out", async () => {
        const exporter = new ScriptedExporter();
        await withDashboard(
            async (running) => {
                const jobId = await running.start();
                const first = [{ kind: "dead link", file: "index.md", line: 3, reason: "No page a.md." }];
                const warnings = { count: 7, countByKind: { "dead link": 7 }, first };
                await (await exporter.nth(1)).complete("archive", { warnings });
                await running.reaches(jobId, "completed");
                const viewer = await signIn(running, adminApiKey);
                const { text } = await viewer.get(`${page}/jobs/${jobId}`);
                assert.match(text, /index\.md:3/);
                assert.match(text, /and 6 more/);
            },
            { exporter },
        );
    });
});
