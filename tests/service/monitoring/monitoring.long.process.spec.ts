import { createService, type ServiceOptions } from "@pulumi-static-export/service";
import assert from "node:assert/strict";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { waitUntil } from "../../wait-until.js";
import { Probe } from "../support/probe.js";
import { adminApiKey, domain, type RunningService, withFolder, withServiceOver } from "../support/running-service.js";
import { ScriptedAgents } from "../support/scripted-agents.js";
import { ScriptedExporter } from "../support/scripted-exporter.js";

interface Probed extends RunningService {
    folder: string;
    exporter: ScriptedExporter;
    probe: (path: string) => Promise<{ status: number; text: string }>;
    /** Reads the value of a metric with these labels. */
    metric: (name: string) => Promise<number | undefined>;
}

async function withProbes(
    use: (probed: Probed) => Promise<void>,
    { version, ...options }: Partial<ServiceOptions> & { version?: string } = {},
): Promise<void> {
    const exporter = new ScriptedExporter();
    const asked = await Probe.create();
    const probe: Probed["probe"] = (path) => asked.ask(path);
    const metric: Probed["metric"] = (name) => asked.metric(name);
    await withFolder((folder) =>
        withServiceOver(folder, { health: { ...asked.health, version }, exporter, ...options }, (running) =>
            use({ ...running, folder, exporter, probe, metric }),
        ),
    );
}

describe("The health endpoint of a service", () => {
    it("is served on a separate address instead of the API's address", async () => {
        await withProbes(async ({ probe, request }) => {
            assert.deepEqual(await probe("/livez"), { status: 200, text: "alive\n" });
            assert.deepEqual(await probe("/readyz"), { status: 200, text: "ready\n" });
            assert.equal((await probe("/v1/static-export/jobs")).status, 404);
            assert.equal((await request("GET", "/metrics")).status, 404);
        });
    });

    it("reports the service as alive but not ready, with the reason, while the storage cannot be written", async () => {
        await withProbes(async ({ folder, probe }) => {
            const bundles = join(folder, "data", "bundles");
            await rename(bundles, `${bundles}.gone`);
            const { status, text } = await probe("/readyz");
            assert.deepEqual([status, /^storage: ENOENT/.test(text)], [503, true], text);
            assert.equal((await probe("/livez")).status, 200);
            await rename(`${bundles}.gone`, bundles);
            assert.equal((await probe("/readyz")).status, 200);
        });
    });

    it("cannot be served on an address that is already in use", async () => {
        await withProbes(async ({ folder, service }) => {
            const second = createService({
                dataDir: join(folder, "other"),
                sites: { [domain]: join(folder, "site") },
                adminApiKey,
                health: { host: "127.0.0.1", port: Number(new URL(service.url).port) },
            });
            await assert.rejects(second.listen(), {
                name: "ServiceOptionsError",
                message:
                    /^The address for health and metrics, 127\.0\.0\.1:\d+, cannot be used \(another program uses the port\): choose another --health\.$/,
            });
            await second.close();
        });
    });
});

describe("The metrics of a service", () => {
    it("count requests by operation and status, and their duration", async () => {
        await withProbes(async ({ start, request, metric }) => {
            const jobId = await start();
            await request("GET", `/v1/static-export/jobs/${jobId}`);
            await request("GET", `/v1/static-export/jobs/${jobId}`);
            await request("GET", "/v1/static-export/jobs/se_42");
            const polls = 'static_export_requests_total{operation="get",status=';
            assert.equal(await metric(`${polls}"200"}`), 2);
            assert.equal(await metric(`${polls}"404"}`), 1);
            assert.equal(await metric('static_export_requests_total{operation="start",status="202"}'), 1);
            assert.equal(await metric('static_export_request_duration_seconds_count{operation="get"}'), 3);
        });
    });

    it("show the number of queued and running jobs, and how long the oldest job has waited", async () => {
        let now = Date.parse("2026-11-01T10:00:00Z");
        await withProbes(
            async ({ start, exporter, metric }) => {
                await start();
                await exporter.nth(1);
                await start();
                now += 90_000;
                await start();
                assert.equal(await metric('static_export_queue_jobs{status="running"}'), 1);
                assert.equal(await metric('static_export_queue_jobs{status="queued"}'), 2);
                assert.equal(await metric("static_export_queue_oldest_seconds"), 90);
            },
            { clock: () => now },
        );
    });

    it("count job runs by outcome, and the pages of completed jobs", async () => {
        await withProbes(async ({ start, reaches, exporter, metric }) => {
            const [first] = [await start(), await start({ version: "2" })];
            await (await exporter.nth(1)).complete();
            await reaches(first, "completed");
            const failing = await exporter.nth(2);
            failing.fail(new Error("no page"));
            // This job begins only after the end of the previous job was counted.
            await start();
            await exporter.nth(3);
            assert.equal(await metric('static_export_job_runs_total{outcome="completed"}'), 1);
            assert.equal(await metric('static_export_job_runs_total{outcome="failed"}'), 1);
            assert.equal(await metric('static_export_job_run_duration_seconds_count{outcome="completed"}'), 1);
            assert.equal(await metric("static_export_job_wait_seconds_count"), 2);
            assert.equal(await metric("static_export_pages_total"), 3);
        });
    });

    it("count sites by the state of their last export, and name those whose export failed", async () => {
        await withProbes(async ({ start, reaches, exporter, metric }) => {
            assert.equal(await metric('static_export_sites{state="never"}'), 1);
            const jobId = await start();
            (await exporter.nth(1)).fail(new Error("no page"));
            await reaches(jobId, "failed");
            const counted = async () => (await metric('static_export_sites{state="failed"}')) === 1;
            await waitUntil("the failed export is counted", counted);
            const failedAt = await metric(`static_export_failed_site_timestamp_seconds{domain="${domain}"}`);
            assert.ok(Math.abs((failedAt ?? 0) - Date.now() / 1000) < 60, String(failedAt));
        });
    });

    it("name the release", async () => {
        await withProbes(
            async ({ metric }) => {
                const info = `static_export_build_info{version="1.2.3",node="${process.version}"}`;
                assert.equal(await metric(info), 1);
            },
            { version: "1.2.3" },
        );
    });

    it("show the prompts that wait for an agent, and count runs of agents by outcome", async () => {
        let now = Date.parse("2026-11-01T10:00:00Z");
        await withFolder(async (folder) => {
            const agents = await ScriptedAgents.create(folder);
            const asked = await Probe.create();
            const options = {
                health: asked.health,
                projects: { docs: { repository: agents.repository } },
                agent: { ...agents.options, concurrency: 1 },
                clock: () => now,
            };
            await withServiceOver(folder, options, async ({ request }) => {
                const create = async (): Promise<string> =>
                    String((await request("POST", "/v2/agent/docs/job", { json: { prompt: "Go." } })).body["id"]);
                const prompts = (status: string) =>
                    asked.metric(`static_export_agent_queue_prompts{status="${status}"}`);
                const runs = (outcome: string) => asked.metric(`static_export_agent_runs_total{outcome="${outcome}"}`);
                const first = await create();
                await agents.hasPrompts(first, 1);
                const second = await create();
                now += 60_000;
                assert.deepEqual([await prompts("running"), await prompts("queued")], [1, 1]);
                assert.equal(await asked.metric("static_export_agent_queue_oldest_seconds"), 60);
                await agents.end(first, "unchanged");
                await agents.end(second, "failed");
                await waitUntil("both have ended", async () => (await runs("failed")) === 1);
                assert.equal(await runs("completed"), 1);
                const seconds = 'static_export_agent_run_duration_seconds_count{outcome="completed"}';
                assert.equal(await asked.metric(seconds), 1);
                assert.equal(await asked.metric("static_export_agent_queue_oldest_seconds"), 0);
            });
        });
    });

    it("show the time of the last removal of old jobs, and the number of jobs removed", async () => {
        const now = Date.parse("2026-11-01T10:00:00Z");
        await withProbes(
            async ({ metric }) => {
                assert.equal(await metric("static_export_retention_last_success_timestamp_seconds"), now / 1000);
                assert.equal(await metric('static_export_retention_removed_total{what="jobs"}'), 0);
                assert.equal(await metric('static_export_retention_removed_total{what="bundles"}'), 0);
            },
            { clock: () => now },
        );
    });

    it("show the process's CPU time, memory and delays", async () => {
        await withProbes(async ({ metric }) => {
            assert.ok(Number(await metric("process_cpu_seconds_total")) > 0);
            assert.ok(Number(await metric("process_resident_memory_bytes")) > 1e6);
        });
    });
});
