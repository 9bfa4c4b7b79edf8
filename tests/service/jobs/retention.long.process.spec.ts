import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ranUntil } from "../support/ran-until.js";
import { domain, type RunningService, withFolder, withServiceOver } from "../support/running-service.js";
import { copyingExporter, ScriptedExporter } from "../support/scripted-exporter.js";

const day = 24 * 60 * 60 * 1000;

describe("The retention of the data folder", () => {
    /** Completes a job whose bundle consists of `text`. */
    async function complete(
        exporter: ScriptedExporter,
        { start, reaches }: RunningService,
        text: string,
    ): Promise<string> {
        const jobId = await start();
        await (await exporter.nth(exporter.begun.length === 0 ? 1 : exporter.begun.length + 1)).complete(text);
        await reaches(jobId, "completed");
        return jobId;
    }

    const statusOf = async ({ request }: RunningService, jobId: string): Promise<number> =>
        (await request("GET", `/v1/static-export/jobs/${jobId}`)).status;

    it("keeps the newest jobs of a domain, and removes older jobs with their bundles", async () => {
        const exporter = new ScriptedExporter();
        await withFolder(async (folder) => {
            const jobIds: string[] = [];
            await withServiceOver(folder, { exporter, keepJobs: 2 }, async (running) => {
                for (const text of ["one", "two", "three"]) {
                    jobIds.push(await complete(exporter, running, text));
                }
            });
            await withServiceOver(folder, { exporter, keepJobs: 2 }, async (running) => {
                assert.deepEqual(await Promise.all(jobIds.map((jobId) => statusOf(running, jobId))), [404, 200, 200]);
                assert.equal((await readdir(join(folder, "data", "bundles"))).length, 2);
            });
        });
    });

    it("keeps a job whose link still works", async () => {
        const exporter = new ScriptedExporter();
        await withFolder(async (folder) => {
            const options = { exporter, keepJobs: 1, linkTtlSeconds: 600 };
            let path = "";
            await withServiceOver(folder, options, async (running) => {
                path = await running.link(await complete(exporter, running, "linked"));
                await complete(exporter, running, "two");
            });
            await withServiceOver(folder, options, async (running) => {
                assert.equal((await running.request("GET", path, { key: null })).status, 200);
            });
        });
    });

    it("removes jobs that were not used for keepDays, except the newest completed job", async () => {
        let now = Date.parse("2026-11-01T10:00:00Z");
        const options = { clock: () => now, keepDays: 30 };
        await withFolder(async (folder) => {
            const jobIds: string[] = [];
            const exporter = new ScriptedExporter();
            await withServiceOver(folder, { ...options, exporter }, async (running) => {
                jobIds.push(await complete(exporter, running, "one"), await complete(exporter, running, "two"));
            });
            now += 29 * day;
            ranUntil(folder, now);
            await withServiceOver(folder, options, async (running) => {
                assert.deepEqual(await Promise.all(jobIds.map((jobId) => statusOf(running, jobId))), [200, 200]);
            });
            now += 2 * day;
            ranUntil(folder, now);
            await withServiceOver(folder, options, async (running) => {
                assert.deepEqual(await Promise.all(jobIds.map((jobId) => statusOf(running, jobId))), [404, 200]);
            });
        });
    });

    it("removes agent jobs that ended more than keepDays ago, but no active job", async () => {
        let now = Date.parse("2026-11-01T10:00:00Z");
        const projects = { docs: { repository: "https://git.example.com/acme/docs" } };
        const options = { clock: () => now, keepDays: 30, projects };
        const ids: string[] = [];
        const statuses = ({ request }: RunningService): Promise<number[]> =>
            Promise.all(ids.map(async (id) => (await request("GET", `/v2/agent/docs/job/${id}`)).status));
        await withFolder(async (folder) => {
            await withServiceOver(folder, options, async ({ request }) => {
                for (const prompt of ["One.", "Two."]) {
                    const { body } = await request("POST", "/v2/agent/docs/job", { json: { prompt } });
                    ids.push(String(body["id"]));
                }
                await request("POST", `/v2/agent/docs/job/${ids[0]}/archive`);
            });
            // The service detects at its start that the job has ended.
            await withServiceOver(folder, options, async (running) => {
                assert.deepEqual(await statuses(running), [200, 200]);
            });
            now += 31 * day;
            ranUntil(folder, now);
            await withServiceOver(folder, options, async (running) => {
                assert.deepEqual(await statuses(running), [404, 200]);
            });
        });
    });

    it("removes agent logs older than keepDays at startup", async () => {
        await withFolder(async (folder) => {
            const logs = join(folder, "data", "agent", "logs");
            await mkdir(logs, { recursive: true });
            const now = Date.now();
            for (const [name, days] of Object.entries({ "aj_1.log": 31, "aj_2.log": 29 })) {
                await writeFile(join(logs, name), "");
                await utimes(join(logs, name), now / 1000, (now - days * day) / 1000);
            }
            const agent = { command: [process.execPath] };
            const projects = { docs: { repository: "https://git.example.com/acme/docs" } };
            await withServiceOver(folder, { agent, projects, keepDays: 30, clock: () => now }, () => Promise.resolve());
            assert.deepEqual(await readdir(logs), ["aj_2.log"]);
        });
    });

    it("removes leftovers of a killed service and caches of removed domains at startup", async () => {
        await withFolder(async (folder) => {
            const data = join(folder, "data");
            await withServiceOver(folder, { exporter: copyingExporter }, async () => Promise.resolve());
            await mkdir(join(data, "cache", domain), { recursive: true });
            await mkdir(join(data, "cache", "gone.example.com"), { recursive: true });
            await writeFile(join(data, "bundles", `${"a".repeat(64)}.tar.gz`), "nobody's");
            await writeFile(join(data, "cache", domain, `${domain}.pages`), "");
            await writeFile(join(data, "cache", domain, `${domain}.pages.${randomUUID()}`), "half");
            await withServiceOver(folder, { exporter: copyingExporter }, async () => {
                assert.deepEqual(await readdir(join(data, "bundles")), []);
                assert.deepEqual(await readdir(join(data, "cache")), [domain]);
                assert.deepEqual(await readdir(join(data, "cache", domain)), [`${domain}.pages`]);
            });
        });
    });

    it("is described in the log at startup, together with the folder's content", async () => {
        await withFolder(async (folder) => {
            const log: string[] = [];
            const logger = {
                info: (message: string) => void log.push(message),
                error: (message: string) => assert.fail(message),
            };
            await withServiceOver(folder, { exporter: copyingExporter, logger }, async ({ start, reaches }) => {
                await reaches(await start(), "completed");
            });
            await withServiceOver(folder, { exporter: copyingExporter, logger }, async () => Promise.resolve());
            assert.match(
                log.at(-1) ?? "",
                /^The data folder contains 1 job and 1 bundle \(1 MB\); .* after 90 days without use, and the oldest beyond 200 per domain\.$/,
            );
        });
    });
});
