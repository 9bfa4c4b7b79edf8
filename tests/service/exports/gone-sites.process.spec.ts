import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ranUntil } from "../support/ran-until.js";
import { domain, type RunningService, withFolder, withServiceOver } from "../support/running-service.js";
import { copyingExporter, ScriptedExporter } from "../support/scripted-exporter.js";

const other = "other.example.com";
const jobs = "/v1/static-export/jobs";
const dayMs = 86_400_000;

describe("A site that the service no longer has", () => {
    interface Fixture {
        /** Runs the service with both sites, or with only the first. */
        withSites: (
            domains: readonly string[],
            use: (running: RunningService) => Promise<void>,
            options?: object,
        ) => Promise<void>;
        bundles: () => Promise<number>;
        passes: (ms: number) => void;
    }

    async function withGoneSite(use: (fixture: Fixture, jobId: string) => Promise<void>): Promise<void> {
        let now = Date.parse("2026-11-01T10:00:00Z");
        await withFolder(async (folder) => {
            const withSites: Fixture["withSites"] = (domains, run, options = {}) => {
                const sites = Object.fromEntries(domains.map((each) => [each, join(folder, "site")]));
                const settings = { sites, exporter: copyingExporter, clock: () => now, ...options };
                return withServiceOver(folder, settings, run);
            };
            let jobId = "";
            await withSites([domain, other], async ({ start, reaches }) => {
                jobId = await start({ domain: other });
                await reaches(jobId, "completed");
            });
            const bundles = async () => (await readdir(join(folder, "data", "bundles"))).length;
            await use({ withSites, bundles, passes: (ms) => ranUntil(folder, (now += ms)) }, jobId);
        });
    }

    const statusOf = async ({ request }: RunningService, path: string): Promise<number> =>
        (await request("GET", path)).status;

    it("still shows its history", async () => {
        await withGoneSite(({ withSites }, jobId) =>
            withSites([domain], async (running) => {
                const { body } = await running.request("GET", `${jobs}?domain=${other}`);
                assert.deepEqual(
                    (body["jobs"] as { jobId: string }[]).map((job) => job.jobId),
                    [jobId],
                );
                assert.equal(await statusOf(running, `${jobs}?domain=unknown.example.com`), 403);
            }),
        );
    });

    it("loses its jobs and bundles on request, but not while the service has it", async () => {
        await withGoneSite(async ({ withSites, bundles }, jobId) => {
            await withSites([domain, other], async ({ request }) => {
                const { status, body } = await request("DELETE", `/v1/sites/${other}`);
                assert.deepEqual(
                    [status, body["error"]],
                    [409, `The service still has the site ${other}: remove it from --site or the sites file first.`],
                );
            });
            await withSites([domain], async (running) => {
                const { status, body } = await running.request("DELETE", `/v1/sites/${other}`);
                assert.deepEqual([status, body["removedJobs"]], [200, 1]);
                assert.equal(await statusOf(running, `${jobs}/${jobId}`), 404);
                assert.equal((await running.request("DELETE", "/v1/sites/never.example.com")).status, 404);
            });
            await withSites([domain], async () => assert.equal(await bundles(), 0));
        });
    });

    it("stops exports that run while it is removed", async () => {
        const exporter = new ScriptedExporter();
        await withGoneSite(async ({ withSites }) => {
            let running = "";
            const options = { exporter };
            await withSites(
                [domain, other],
                async ({ start }) => {
                    running = await start({ domain: other });
                    await exporter.nth(1);
                },
                options,
            );
            await withSites(
                [domain],
                async ({ request, reaches }) => {
                    const { body } = await request("DELETE", `/v1/sites/${other}`);
                    const stillRuns = (body["runningJobs"] as string[]).includes(running);
                    assert.ok(stillRuns || body["removedJobs"] === 2);
                    if (stillRuns) {
                        await reaches(running, "failed");
                    }
                },
                options,
            );
        });
    });

    it("is forgotten when it has been gone for as long as jobs are kept", async () => {
        await withGoneSite(async ({ withSites, bundles, passes }, jobId) => {
            const isKept = async (running: RunningService) =>
                assert.equal(await statusOf(running, `${jobs}/${jobId}`), 200);
            passes(91 * dayMs);
            await withSites([domain, other], isKept);
            await withSites([domain], isKept);
            passes(89 * dayMs);
            await withSites([domain], isKept);
            passes(2 * dayMs);
            await withSites([domain], async (running) => {
                assert.equal(await statusOf(running, `${jobs}/${jobId}`), 404);
                assert.equal(await bundles(), 0);
            });
        });
    });

    it("is not gone if it comes back meanwhile, for example because a line was commented out by mistake", async () => {
        await withGoneSite(async ({ withSites, passes }, jobId) => {
            passes(91 * dayMs);
            await withSites([domain], () => Promise.resolve());
            passes(50 * dayMs);
            await withSites([domain, other], () => Promise.resolve());
            passes(50 * dayMs);
            await withSites([domain], async (running) => {
                assert.equal(await statusOf(running, `${jobs}/${jobId}`), 200);
            });
        });
    });
});
