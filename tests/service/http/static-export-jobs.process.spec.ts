import assert from "node:assert/strict";
import { copyingExporter, ScriptedExporter } from "../support/scripted-exporter.js";
import { domain, withService } from "../support/running-service.js";

const jobs = "/v1/static-export/jobs";

describe("The static export job API", () => {
    it("queues a job and answers 202 with all of its fields", async () => {
        const now = Date.parse("2026-11-01T10:00:00Z");
        await withService({ exporter: new ScriptedExporter(), clock: () => now }, async ({ request }) => {
            const { status, body } = await request("POST", jobs, { json: { domain } });
            assert.equal(status, 202);
            const { jobId, ...rest } = body;
            assert.match(String(jobId), /^se_[0-9a-f]+$/);
            const time = "2026-11-01T10:00:00.000Z";
            assert.deepEqual(rest, { status: "queued", progress: 0, pageCount: 0, createdAt: time, updatedAt: time });
        });
    });

    it("passes domain, folder, version and paths to the exporter", async () => {
        const exporter = new ScriptedExporter();
        await withService({ exporter }, async ({ start }) => {
            await start({ version: "2026-11-01", paths: ["/guides/start"] });
            const { request } = await exporter.nth(1);
            assert.equal(request.domain, domain);
            assert.match(request.sourceDir, /site$/);
            assert.equal(request.version, "2026-11-01");
            assert.deepEqual(request.paths, ["/guides/start"]);
        });
    });

    it("refuses a path that has a control character", async () => {
        await withService({ exporter: copyingExporter }, async ({ request }) => {
            const json = { domain, paths: ["/a\u0000b"] };
            const { status, body } = await request("POST", jobs, { json });
            assert.deepEqual(
                [status, body["error"]],
                [400, "paths.0 must be the path of a page, such as /guides/start."],
            );
        });
    });

    it("passes neither version nor paths to the exporter if the request contains neither", async () => {
        const exporter = new ScriptedExporter();
        await withService({ exporter }, async ({ start }) => {
            await start();
            const { request } = await exporter.nth(1);
            assert.equal("version" in request, false);
            assert.equal("paths" in request, false);
        });
    });

    it("treats a domain in upper case as the same domain", async () => {
        const exporter = new ScriptedExporter();
        await withService({ exporter }, async ({ start }) => {
            await start({ domain: "Docs.Example.COM" });
            assert.equal((await exporter.nth(1)).request.domain, domain);
        });
    });

    it("shows progress and page count while the job runs, and 100 percent when it has completed", async () => {
        const exporter = new ScriptedExporter();
        await withService({ exporter }, async ({ start, request, reaches }) => {
            const jobId = await start();
            const running = await exporter.nth(1);
            running.control.onProgress(40, 2);
            const { body } = await request("GET", `${jobs}/${jobId}`);
            assert.deepEqual([body["status"], body["progress"], body["pageCount"]], ["running", 40, 2]);
            await running.complete();
            const done = await reaches(jobId, "completed");
            assert.deepEqual([done["progress"], done["pageCount"], "error" in done], [100, 3, false]);
        });
    });

    it("preserves the error and the progress of a failed job", async () => {
        const exporter = new ScriptedExporter();
        await withService({ exporter }, async ({ start, reaches }) => {
            const jobId = await start();
            const running = await exporter.nth(1);
            running.control.onProgress(70, 7);
            running.fail(new Error("guide.md:12: the code block is not closed"));
            const failed = await reaches(jobId, "failed");
            assert.equal(failed["error"], "guide.md:12: the code block is not closed");
            assert.deepEqual([failed["progress"], failed["pageCount"]], [0, 7]);
        });
    });

    it("stops the exporter of a cancelled job, and names the cancelling key in the job's error", async () => {
        const exporter = new ScriptedExporter();
        await withService({ exporter }, async ({ start, request, reaches }) => {
            const jobId = await start();
            await exporter.nth(1);
            assert.equal((await request("DELETE", `${jobs}/${jobId}`)).status, 200);
            const job = await reaches(jobId, "failed");
            assert.equal(job["error"], "Cancelled by a client with the key of the service.");
            assert.equal(job["cancelled"], true);
            const next = await start();
            await (await exporter.nth(2)).complete();
            assert.equal((await reaches(next, "completed"))["cancelled"], undefined);
        });
    });

    it("answers 409 to the cancellation of an ended job, and 404 for an unknown job", async () => {
        const exporter = new ScriptedExporter();
        await withService({ exporter }, async ({ start, request, reaches }) => {
            const jobId = await start();
            await (await exporter.nth(1)).complete();
            await reaches(jobId, "completed");
            const ended = await request("DELETE", `${jobs}/${jobId}`);
            assert.deepEqual(
                [ended.status, ended.body],
                [409, { error: `Static export job ${jobId} is completed and cannot be cancelled.` }],
            );
            assert.equal((await request("DELETE", `${jobs}/se_none`)).status, 404);
        });
    });

    it("lists a domain's jobs, newest first, with their versions and bundle digests", async () => {
        const exporter = new ScriptedExporter();
        await withService({ exporter }, async ({ start, reaches, request }) => {
            const first = await start({ version: "1" });
            await (await exporter.nth(1)).complete();
            const { updatedAt, ...completed } = await reaches(first, "completed");
            const second = await start();
            const { body } = await request("GET", `${jobs}?domain=Docs.Example.COM`);
            const [newest, oldest, ...others] = body["jobs"] as Record<string, unknown>[];
            assert.deepEqual([newest?.["jobId"], newest?.["version"], newest?.["sha256"]], [second, null, null]);
            const { sha256, sizeBytes, ...job } = oldest ?? {};
            const key = { id: "service", name: "key of the service" };
            assert.deepEqual(job, { ...completed, domain, key, updatedAt, version: "1" });
            assert.match(String(sha256), /^[0-9a-f]{64}$/);
            assert.equal(typeof sizeBytes, "number");
            assert.deepEqual(others, []);
        });
    });

    it("lists the requested number of jobs, 20 by default, and refuses invalid limits", async () => {
        await withService({ exporter: new ScriptedExporter() }, async ({ start, request }) => {
            const started: string[] = [];
            for (let count = 1; count <= 21; count += 1) {
                started.unshift(await start());
            }
            const idsOf = async (query: string) => {
                const { body } = await request("GET", `${jobs}?domain=${domain}${query}`);
                return (body["jobs"] as { jobId: string }[]).map(({ jobId }) => jobId);
            };
            assert.deepEqual(await idsOf(""), started.slice(0, 20));
            assert.deepEqual(await idsOf("&limit=2"), started.slice(0, 2));
            for (const limit of ["0", "1001", "-1", "two"]) {
                const { status, body } = await request("GET", `${jobs}?domain=${domain}&limit=${limit}`);
                assert.deepEqual(
                    [status, body["error"]],
                    [400, "limit must be a whole number from 1 to 1000 (default: 20)."],
                );
            }
        });
    });

    it("answers 403 for a domain that is not enabled, and starts nothing", async () => {
        const exporter = new ScriptedExporter();
        await withService({ exporter }, async ({ request }) => {
            const { status, body } = await request("POST", jobs, { json: { domain: "other.example.com" } });
            assert.equal(status, 403);
            assert.deepEqual(body, {
                error: "Static export is not enabled for other.example.com. The enabled domains are: docs.example.com.",
            });
            assert.equal(exporter.begun.length, 0);
        });
    });

    it("returns a fresh link, its expiry and the size on every request once the job has completed", async () => {
        let now = Date.parse("2026-11-01T10:00:00.700Z");
        const options = { exporter: copyingExporter, clock: () => now, linkTtlSeconds: 60 };
        await withService(options, async ({ start, reaches, request, service }) => {
            const jobId = await start();
            await reaches(jobId, "completed");
            const first = await request("POST", `${jobs}/${jobId}/bundle`);
            assert.equal(first.status, 200);
            assert.equal(first.body["jobId"], jobId);
            assert.equal(first.body["sizeBytes"], "# Welcome\n\nHello.\n".length);
            assert.equal(first.body["expiresAt"], "2026-11-01T10:01:00.000Z");
            now += 5000;
            const second = await request("POST", `${jobs}/${jobId}/bundle`);
            assert.equal(second.body["expiresAt"], "2026-11-01T10:01:05.000Z");
            const addresses = [first, second].map(({ body }) => new URL(String(body["bundleUrl"])));
            assert.deepEqual(
                addresses.map(({ origin, pathname }) => origin + pathname),
                Array(2).fill(`${service.url}/bundles/${jobId}.tar.gz`),
            );
            assert.notEqual(addresses[0]?.search, addresses[1]?.search);
        });
    });

    it("answers 409 with the status while the job has not completed", async () => {
        const exporter = new ScriptedExporter();
        await withService({ exporter }, async ({ start, request, reaches }) => {
            const [first, second] = [await start(), await start({ version: "2" })];
            const running = await exporter.nth(1);
            const answers = [
                await request("POST", `${jobs}/${second}/bundle`),
                await request("POST", `${jobs}/${first}/bundle`),
            ];
            running.fail(new Error("no page"));
            await reaches(first, "failed");
            answers.push(await request("POST", `${jobs}/${first}/bundle`));
            assert.deepEqual(
                answers.map(({ status, body }) => [status, body["error"]]),
                [
                    [409, `Static export job ${second} is queued: poll it until it is completed.`],
                    [409, `Static export job ${first} is running: poll it until it is completed.`],
                    [409, `Static export job ${first} is failed: start a new one.`],
                ],
            );
        });
    });
});
