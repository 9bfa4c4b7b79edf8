import { createAgentWorker, migrateDatabase, type Worker } from "@pulumi-static-export/service";
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createStorage } from "../../../service/src/storage/create-storage.js";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { DatabaseClock } from "../../../service/src/database/database-clock.js";
import { Retention } from "../../../service/src/jobs/retention.js";
import { RetentionRounds } from "../../../service/src/jobs/retention-rounds.js";
import { AgentJobStore } from "../../../service/src/agents/agent-job-store.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { Remote } from "../../e2e/agent/agent-service.js";
import { bucket as name, useS3Server } from "../../provider/bundle-mirror/s3-server.js";
import { withFolder } from "../../sdk/support/files.js";
import { usePostgres } from "../support/postgres.js";
import { waitUntil } from "../../wait-until.js";

const projectId = "docs";
const secret = "sk-0123456789";
const dayMs = 24 * 3600 * 1000;
const startMs = Date.parse("2026-11-01T10:00:00Z");

/** An agent that prints its prompt and its key, waits while the file `hold` exists, and changes or fails if requested. */
const agentSource = `
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
const prompt = readFileSync(0, "utf8").trim();
const folder = process.argv[2];
console.log(prompt + " with " + process.env.MODEL_API_KEY);
writeFileSync(folder + "/begun", "");
while (existsSync(folder + "/hold")) {
    await delay(10);
}
if (prompt === "change") {
    writeFileSync("new.md", "New.");
}
process.exit(prompt === "fail" ? 1 : 0);
`;

interface Fixture {
    jobs: AgentJobStore;
    /** Starts a worker; resolves when it has started looking for jobs. */
    start: () => Promise<Worker>;
    create: (prompt: string) => Promise<string>;
    ended: (id: string) => Promise<void>;
    /** Lists the logs in the worker's data folder. */
    files: () => Promise<string[]>;
    folder: string;
    remote: Remote;
    log: string[];
    sweep: (atMs: number) => Promise<void>;
}

describe("Logs of agent runs in a bucket", () => {
    const postgres = usePostgres();
    const s3 = useS3Server();

    async function withWorkers(use: (fixture: Fixture) => Promise<void>): Promise<void> {
        await withFolder(async (folder) => {
            const url = await postgres().createDatabase();
            await migrateDatabase(url);
            const database = new PostgresDatabase(url);
            const jobs = new AgentJobStore(database, Date.now);
            const remote = await Remote.create(folder);
            await writeFile(join(folder, "agent.mjs"), agentSource);
            const project = { repository: remote.url, ref: "main" };
            const bucket = { url: `s3://${name}/docs`, endpoint: s3().endpoint };
            const log: string[] = [];
            const logger = {
                info: (line: string) => void log.push(line),
                error: (line: string) => void log.push(line),
            };
            const workers: Worker[] = [];
            const start: Fixture["start"] = async () => {
                const worker = createAgentWorker({
                    dataDir: join(folder, "data"),
                    database: url,
                    bucket,
                    projects: { [projectId]: project },
                    agent: {
                        command: [process.execPath, join(folder, "agent.mjs"), folder],
                        environment: ["MODEL_API_KEY"],
                        env: { ...process.env, MODEL_API_KEY: secret },
                    },
                    clock: () => startMs,
                    pollMs: 20,
                    logger,
                });
                workers.push(worker);
                await worker.start();
                return worker;
            };
            const sweep: Fixture["sweep"] = async (atMs) => {
                const clock = (): number => atMs;
                const store = new SiteJobStore(database, clock);
                const folders = { bundles: folder };
                const storage = createStorage({ bucket, folders, database, clock, logger });
                const limits = { keepDays: 90, keepJobs: 200, linkTtlSeconds: 60 };
                const rounds = new RetentionRounds(database, clock);
                const kept = { jobs: [store, jobs], bundleJobs: store, storage, rounds };
                await new Retention({
                    ...limits,
                    ...kept,
                    clock: new DatabaseClock({}, clock, logger),
                    logger,
                }).apply();
                await storage.close();
            };
            try {
                await use({
                    jobs,
                    start,
                    create: async (prompt) => (await jobs.create(projectId, project, prompt)).id,
                    ended: async (id) =>
                        void (await waitUntil(
                            "the job ends",
                            async () => (await jobs.get(projectId, id))?.status !== "active",
                        )),
                    files: () => readdir(join(folder, "data", "agent", "logs")),
                    folder,
                    remote,
                    log,
                    sweep,
                });
            } finally {
                await Promise.all(workers.map((worker) => worker.close()));
                await database.close();
            }
        });
    }

    it("are stored as one object per run without key values, and removed from the data folder", async () => {
        await withWorkers(async ({ jobs, start, create, ended, files, log }) => {
            const worker = await start();
            const id = await create("first");
            await ended(id);
            await jobs.addMessage(id, "fail");
            await ended(id);
            await worker.close();
            const keys = [`docs/agent-logs/${id}/1.log`, `docs/agent-logs/${id}/2.log`];
            assert.deepEqual(await s3().keys(), keys);
            const [first = "", second = ""] = await Promise.all(keys.map(async (key) => String(await s3().read(key))));
            assert.match(first, /^first with \*{3}$[^]*Completed: nothing changed\.$/m);
            assert.match(second, /^fail with \*{3}$[^]*Failed: /m);
            assert.deepEqual(await files(), []);
            assert.ok(log.some((line) => line.endsWith(`(its log: s3://${name}/${keys[1]})`)));
        });
    });

    it("are stored when a run is requeued, next to the logs of the run that ends the job", async () => {
        await withWorkers(async ({ start, create, ended, folder }) => {
            await writeFile(join(folder, "hold"), "");
            const worker = await start();
            const id = await create("held");
            await waitUntil("the agent begins", () => existsSync(join(folder, "begun")));
            await worker.close();
            const [givenBack = ""] = await s3().keys();
            assert.match(String(await s3().read(givenBack)), /The agent was stopped\./);
            await rm(join(folder, "hold"));
            const next = await start();
            await ended(id);
            await next.close();
            assert.deepEqual(
                await s3().keys(),
                [1, 2].map((attempt) => `docs/agent-logs/${id}/${attempt}.log`),
            );
        });
    });

    it("are next to the bundle with a change whose push was refused, and deleted with it", async () => {
        await withWorkers(async ({ start, create, ended, files, remote, log, sweep }) => {
            await writeFile(join(remote.folder, "hooks", "pre-receive"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
            const worker = await start();
            const id = await create("change");
            await ended(id);
            await worker.close();
            assert.deepEqual(
                await s3().keys(),
                ["bundle", "log"].map((kind) => `docs/agent-logs/${id}/1.${kind}`),
            );
            assert.match(String(await s3().read(`docs/agent-logs/${id}/1.bundle`)), /^# v2 git bundle\n/);
            assert.ok(
                log.some((line) => line.includes(`in the git bundle s3://${name}/docs/agent-logs/${id}/1.bundle`)),
            );
            assert.deepEqual(await files(), []);
            await sweep(startMs + 90 * dayMs + 1);
            assert.deepEqual(await s3().keys(), []);
        });
    });

    it("stay in the data folder while the bucket is unavailable, and are stored at the next start", async () => {
        await withWorkers(async ({ start, create, ended, files, log }) => {
            const worker = await start();
            await s3().kill();
            const id = await create("first");
            await ended(id);
            await worker.close();
            assert.deepEqual(await files(), [`${id}-1.log`]);
            assert.ok(log.some((line) => line.startsWith(`The log of agent job ${id} stays in `)));
            await s3().resume();
            await (await start()).close();
            assert.deepEqual(await s3().keys(), [`docs/agent-logs/${id}/1.log`]);
            assert.deepEqual(await files(), []);
        });
    });

    it("are deleted by export workers after keepDays", async () => {
        await withWorkers(async ({ start, create, ended, sweep }) => {
            const worker = await start();
            await ended(await create("first"));
            await worker.close();
            await sweep(startMs + 90 * dayMs);
            assert.equal((await s3().keys()).length, 1);
            await sweep(startMs + 90 * dayMs + 1);
            assert.deepEqual(await s3().keys(), []);
        });
    });
});
