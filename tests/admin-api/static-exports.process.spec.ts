import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AdminClient, AmbiguousStartError, downloadBundle, JobFailedError } from "@pulumi-static-export/sdk";
import { systemClock } from "@pulumi-static-export/sdk/internal";
import { type RequestLogEntry } from "@pulumi-static-export/service";
import { createFaultyService, type FaultyService } from "../service/support/faulty-service.js";

const domain = "docs.example.com";
const adminApiKey = "contract_0123456789abcdef";

describe("static exports, with the sdk calling the service over HTTP:", () => {
    let folder: string;
    let service: FaultyService;
    let client: AdminClient;
    let nowMs = Date.now();
    const requests: RequestLogEntry[] = [];

    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-contract-"));
        await mkdir(join(folder, "site"));
        await writeFile(join(folder, "site", "index.md"), "# Welcome\n");
        await writeFile(join(folder, "site", "start.md"), "# Start\n");
        service = createFaultyService({
            dataDir: join(folder, "data"),
            sites: { [domain]: join(folder, "site") },
            adminApiKey,
            linkTtlSeconds: 60,
            clock: () => nowMs,
            onRequest: (entry) => requests.push(entry),
        });
        await service.listen();
        client = new AdminClient({
            baseUrl: service.url,
            adminApiKey,
            // Waits are short because the jobs are short; tests/sdk tests the length of waits.
            clock: { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 20), signal) },
        });
    });

    beforeEach(() => {
        nowMs = Date.now();
        requests.length = 0;
        service.setFaults([]);
    });

    after(async () => {
        client.close();
        await service.close();
        await rm(folder, { recursive: true });
    });

    const exported = async () => {
        const { jobId } = await client.staticExports.start({ domain, version: "1" });
        return client.staticExports.pollUntilDone(jobId);
    };

    it("start, poll, bundle and download return the pages of a domain", async () => {
        const job = await exported();
        assert.equal(job.status, "completed");
        assert.equal(job.progress, 100);
        assert.equal(job.pageCount, 2);
        const bundle = await client.staticExports.createBundle(job.jobId);
        const site = join(folder, "unpacked");
        const { sizeBytes } = await downloadBundle(bundle.bundleUrl, site);
        assert.equal(sizeBytes, bundle.sizeBytes);
        assert.ok((await readdir(site)).includes("start.html"));
        assert.match(await readFile(join(site, "index.html"), "utf8"), /Welcome/);
    });

    it("an expired link is refused, and a new link needs no new export", async () => {
        const { jobId } = await exported();
        const { bundleUrl } = await client.staticExports.createBundle(jobId);
        nowMs += 61_000;
        await assert.rejects(downloadBundle(bundleUrl, join(folder, "late")), (error: Error) => {
            assert.match(error.message, /403/);
            assert.doesNotMatch(error.message, /signature=/);
            return true;
        });
        const fresh = await client.staticExports.createBundle(jobId);
        await downloadBundle(fresh.bundleUrl, join(folder, "fresh"));
        assert.equal(requests.filter(({ operation }) => operation === "start").length, 1);
    });

    it("a wait for a job that fails, and a request for its link, throw a JobFailedError with the reason", async () => {
        service.setFaults(["export:fail=guide.md:12: unclosed tag"]);
        const { jobId } = await client.staticExports.start({ domain });
        for (const call of [
            () => client.staticExports.pollUntilDone(jobId),
            () => client.staticExports.createBundle(jobId),
        ]) {
            await assert.rejects(call, (error: unknown) => {
                assert.ok(error instanceof JobFailedError, String(error));
                assert.equal(error.reason, "guide.md:12: unclosed tag");
                return true;
            });
        }
        assert.equal(requests.filter(({ operation }) => operation === "bundle").length, 1);
    });

    for (const [what, faults] of [
        ["503 with Retry-After", ["get:status=503,times=2,retry-after=0", "bundle:status=503,times=1"]],
        ["429", ["get:status=429,times=2", "bundle:status=429,times=1"]],
        ["lost connections", ["get:reset,times=2", "bundle:reset,times=1"]],
        ["bodies that break off", ["get:reset-after=5,times=2", "bundle:reset-after=5,times=1"]],
        ["a status nobody knows", ["get:unknown-status,times=2"]],
        ["progress that goes back", ["get:progress-back,times=2"]],
    ] as const) {
        it(`a wait survives ${what} without starting a second job`, async () => {
            const { jobId } = await client.staticExports.start({ domain });
            service.setFaults(faults);
            await client.staticExports.pollUntilDone(jobId);
            assert.ok((await client.staticExports.createBundle(jobId)).bundleUrl);
            assert.equal(requests.filter(({ operation }) => operation === "start").length, 1);
        });
    }

    it("a start whose response is lost is retried with the same Idempotency-Key and finds its job", async () => {
        service.setFaults(["start:ambiguous,times=2"]);
        const idempotencyKey = randomUUID();
        const { jobId } = await client.staticExports.start({ domain }, { idempotencyKey });
        assert.equal(requests.filter(({ operation }) => operation === "start").length, 3);
        assert.equal((await client.staticExports.start({ domain }, { idempotencyKey })).jobId, jobId);
    });

    it("a start that receives no response throws an AmbiguousStartError, whose key finds the job later", async () => {
        service.setFaults(["start:ambiguous"]);
        const idempotencyKey = randomUUID();
        await assert.rejects(client.staticExports.start({ domain }, { idempotencyKey }), AmbiguousStartError);
        service.setFaults([]);
        const found = await client.staticExports.start({ domain }, { idempotencyKey });
        assert.equal(found.jobId, (await client.staticExports.start({ domain }, { idempotencyKey })).jobId);
        assert.equal(await client.idempotencyKeyMaxAgeMs(), 7 * 24 * 3600 * 1000);
    });
});
