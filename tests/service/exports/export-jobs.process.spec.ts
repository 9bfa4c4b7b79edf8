import assert from "node:assert/strict";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { itInLong } from "../../scale.js";
import { domain, withFolder, withService, withServiceOver } from "../support/running-service.js";
import { copyingExporter, ScriptedExporter } from "../support/scripted-exporter.js";

describe("The export queue", () => {
    it("runs the jobs of a domain one after another, in the order of their starts", async () => {
        const exporter = new ScriptedExporter();
        await withService({ exporter, concurrency: 4 }, async ({ start, request, reaches }) => {
            const jobIds = [
                await start({ version: "1" }),
                await start({ version: "2" }),
                await start({ version: "3" }),
            ];
            for (const [index, jobId] of jobIds.entries()) {
                const running = await exporter.nth(index + 1);
                assert.equal(running.request.version, String(index + 1));
                assert.equal(exporter.begun.length, index + 1);
                for (const waiting of jobIds.slice(index + 1)) {
                    const { body } = await request("GET", `/v1/static-export/jobs/${waiting}`);
                    assert.equal(body["status"], "queued");
                }
                await running.complete();
                await reaches(jobId, "completed");
            }
        });
    });

    itInLong("exports a site with its configured base path for jobs that name only the domain", async () => {
        const exporter = new ScriptedExporter();
        await withFolder(async (folder) => {
            const sites = { "docs.example.com/help/": join(folder, "site") };
            await withServiceOver(folder, { exporter, sites }, async ({ start }) => {
                await start({ domain: "docs.example.com" });
                const { request, complete } = await exporter.nth(1);
                assert.deepEqual([request.domain, request.basePath], ["docs.example.com", "help"]);
                await complete();
            });
        });
    });

    itInLong(
        "creates an empty work folder for every job, removes it afterwards, and keeps one cache per domain",
        async () => {
            const exporter = new ScriptedExporter();
            await withFolder(async (folder) => {
                await withServiceOver(folder, { exporter }, async ({ start, reaches }) => {
                    const jobIds = [await start(), await start({ version: "2" })];
                    const first = await exporter.nth(1);
                    assert.deepEqual(await readdir(first.request.workDir), []);
                    await first.complete();
                    const second = await exporter.nth(2);
                    assert.notEqual(second.request.workDir, first.request.workDir);
                    assert.equal(second.request.cacheDir, first.request.cacheDir);
                    await second.complete();
                    await reaches(jobIds[1] ?? "", "completed");
                    assert.deepEqual(await readdir(join(folder, "data", "work")), []);
                });
            });
        },
    );
});

describe("A restart", () => {
    itInLong("preserves completed and failed jobs with their reasons and bundles", async () => {
        await withFolder(async (folder) => {
            const exporter = new ScriptedExporter();
            const jobIds: string[] = [];
            await withServiceOver(folder, { exporter }, async ({ start, reaches }) => {
                jobIds.push(await start(), await start({ version: "2" }));
                await (await exporter.nth(1)).complete("the archive");
                (await exporter.nth(2)).fail(new Error("guide.md:12: not closed"));
                await reaches(jobIds[1] ?? "", "failed");
            });
            await withServiceOver(folder, { exporter: copyingExporter }, async ({ request, reaches, link }) => {
                const completed = await reaches(jobIds[0] ?? "", "completed");
                assert.deepEqual([completed["progress"], completed["pageCount"]], [100, 3]);
                const path = await link(jobIds[0] ?? "");
                assert.equal((await request("GET", path, { key: null })).text, "the archive");
                const failed = await reaches(jobIds[1] ?? "", "failed");
                assert.equal(failed["error"], "guide.md:12: not closed");
            });
        });
    });

    itInLong("keeps earlier links valid", async () => {
        await withFolder(async (folder) => {
            let path = "";
            await withServiceOver(folder, { exporter: copyingExporter }, async ({ start, reaches, link }) => {
                const jobId = await start();
                await reaches(jobId, "completed");
                path = await link(jobId);
            });
            await withServiceOver(folder, { exporter: copyingExporter }, async ({ request }) => {
                assert.equal((await request("GET", path, { key: null })).status, 200);
            });
        });
    });

    it("reruns interrupted and waiting jobs in order, under the same ids", async () => {
        await withFolder(async (folder) => {
            const interrupted = new ScriptedExporter();
            const jobIds: string[] = [];
            await withServiceOver(folder, { exporter: interrupted }, async ({ start }) => {
                jobIds.push(await start({ version: "1", paths: ["/"] }), await start({ version: "2" }));
                (await interrupted.nth(1)).control.onProgress(50, 5);
            });
            assert.equal(interrupted.begun[0]?.control.signal.aborted, true);
            assert.equal(interrupted.closed, true);

            const exporter = new ScriptedExporter();
            await withServiceOver(folder, { exporter }, async ({ reaches }) => {
                for (const [index, jobId] of jobIds.entries()) {
                    const running = await exporter.nth(index + 1);
                    assert.equal(running.request.version, String(index + 1));
                    assert.deepEqual(running.request.paths, index === 0 ? ["/"] : undefined);
                    await running.complete();
                    await reaches(jobId, "completed");
                }
            });
        });
    });

    itInLong("removes the work folders of a killed service", async () => {
        await withFolder(async (folder) => {
            await mkdir(join(folder, "data", "work", "se_42"), { recursive: true });
            await withServiceOver(folder, { exporter: copyingExporter }, async () => {
                assert.deepEqual(await readdir(join(folder, "data", "work")), []);
            });
        });
    });

    itInLong("fails a waiting job whose domain is no longer enabled", async () => {
        await withFolder(async (folder) => {
            let jobId = "";
            await withServiceOver(folder, { exporter: new ScriptedExporter() }, async ({ start }) => {
                jobId = await start();
            });
            const sites = { "other.example.com": join(folder, "site") };
            await withServiceOver(folder, { exporter: copyingExporter, sites }, async ({ reaches }) => {
                const { error } = await reaches(jobId, "failed");
                assert.equal(error, `Static export is no longer enabled for ${domain} on this service.`);
            });
        });
    });
});

describe("The queue", () => {
    it("refuses starts beyond the limit with 429 and Retry-After until jobs have ended", async () => {
        const exporter = new ScriptedExporter();
        const sites = (folder: string) => ({ [domain]: folder, "other.example.com": folder });
        await withFolder(async (folder) => {
            const options = {
                exporter,
                sites: sites(join(folder, "site")),
                maxQueuedJobs: 3,
                maxQueuedJobsPerDomain: 2,
            };
            await withServiceOver(folder, { ...options, concurrency: 1 }, async ({ request, start, reaches }) => {
                const running = await start();
                await exporter.nth(1);
                const start429 = async (name: string) => {
                    const { status, headers, body } = await request("POST", "/v1/static-export/jobs", {
                        json: { domain: name },
                    });
                    assert.deepEqual([status, headers.get("retry-after")], [429, "10"]);
                    return String(body["error"]);
                };
                await start();
                await start();
                assert.match(
                    await start429(domain),
                    /^Too many static export jobs are waiting \(2 of docs\.example\.com, 2 in all\)/,
                );
                await start({ domain: "other.example.com" });
                assert.match(await start429("other.example.com"), /\(1 of other\.example\.com, 3 in all\)/);
                await (await exporter.nth(1)).complete();
                await reaches(running, "completed");
                // The next export belongs to the other domain.
                await exporter.nth(2);
                await start({ domain: "other.example.com" });
            });
        });
    });

    itInLong("accepts lists of up to 1,000 paths", async () => {
        await withService({ exporter: new ScriptedExporter() }, async ({ request, start }) => {
            const paths = Array.from({ length: 1000 }, (_, index) => `/page-${index}`);
            await start({ paths });
            const { status, body } = await request("POST", "/v1/static-export/jobs", {
                json: { domain, paths: [...paths, "/one-more"] },
            });
            assert.equal(status, 400);
            assert.match(String(body["error"]), /^paths must be a list of 1 to 1,000 different page paths/);
        });
    });
});
