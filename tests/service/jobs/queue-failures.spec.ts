import assert from "node:assert/strict";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { FolderStorage } from "../../../service/src/storage/bundles-in-folder.js";
import { createOwnFolders } from "../../../service/src/storage/storage-folders.js";
import { WorkFolders } from "../../../service/src/storage/work-folders.js";
import { ExportQueue } from "../../../service/src/exports/export-jobs.js";
import { SiteRepositories } from "../../../service/src/exports/site-checkouts.js";
import { Retention } from "../../../service/src/exports/retention.js";
import { FaultSchedule } from "../../../service/src/faults/fault-schedule.js";
import { openSqliteDatabase } from "../../../service/src/database/sqlite-database.js";
import { AgentJobStore } from "../../../service/src/agents/agent-job-store.js";
import { ExportAttempts } from "../../../service/src/exports/export-attempts.js";
import { type StaticExportJob } from "../../../service/src/exports/static-export-job.js";
import { StaticExportStore } from "../../../service/src/exports/static-export-store.js";
import { domain, withFolder } from "../support/running-service.js";
import { ScriptedExporter } from "../support/scripted-exporter.js";

/** Fails as SQLite does on a full disk, as often as it is told to. */
class AttemptsOnFullDisk extends ExportAttempts {
    failures = 0;
    onFailure = (): void => undefined;

    override async claim(isIdle: boolean): Promise<StaticExportJob | undefined> {
        this.#write();
        return super.claim(isIdle);
    }

    override async complete(...args: Parameters<ExportAttempts["complete"]>): Promise<boolean> {
        this.#write();
        return super.complete(...args);
    }

    override async fail(...args: Parameters<ExportAttempts["fail"]>): Promise<boolean> {
        this.#write();
        return super.fail(...args);
    }

    #write(): void {
        if (this.failures > 0) {
            this.failures -= 1;
            this.onFailure();
            throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
        }
    }
}

interface RunningQueue {
    store: StaticExportStore;
    attempts: AttemptsOnFullDisk;
    queue: ExportQueue;
    exporter: ScriptedExporter;
    errors: string[];
    ended: (jobId: string) => Promise<string>;
}

async function withQueue(use: (running: RunningQueue) => Promise<void>, concurrency = 1): Promise<void> {
    await withFolder(async (dataDir) => {
        const database = openSqliteDatabase(dataDir);
        const store = new StaticExportStore(database, Date.now);
        const attempts = new AttemptsOnFullDisk(database, Date.now);
        const folders = createOwnFolders(dataDir, [domain, "other.example.com"]);
        const storage = new FolderStorage(folders);
        const exporter = new ScriptedExporter();
        const errors: string[] = [];
        let onLog = (): void => undefined;
        const logger = {
            info: () => onLog(),
            error: (message: string) => {
                errors.push(message);
                onLog();
            },
        };
        const site = { source: join(dataDir, "site"), basePath: undefined };
        const queue = new ExportQueue({
            attempts,
            storage,
            folders: new WorkFolders(folders),
            exporter,
            sites: new Map([
                [domain, site],
                ["other.example.com", site],
            ]),
            repositories: new SiteRepositories({ dataDir, tokens: new Map(), maxBytes: 0, memoryMegabytes: 512 }),
            dataDir,
            concurrency,
            faults: new FaultSchedule([]),
            retention: new Retention({
                store,
                agentJobs: new AgentJobStore(database, Date.now),
                storage,
                clock: Date.now,
                keepDays: 90,
                keepJobs: 200,
                linkTtlSeconds: 60,
                logger,
            }),
            logger,
            retryMs: 1,
        });
        const ended = async (jobId: string): Promise<string> => {
            for (;;) {
                const logged = new Promise<void>((resolve) => (onLog = resolve));
                const status = (await store.get(jobId))?.status ?? "";
                if (status === "completed" || status === "failed") {
                    return status;
                }
                await logged;
            }
        };
        try {
            await use({ store, attempts, queue, exporter, errors, ended });
        } finally {
            await queue.close();
            await database.close();
        }
    });
}

describe("A full disk", () => {
    it("at a job's end delays its outcome until there is room, and the next job runs", async () => {
        await withQueue(async ({ store, attempts, queue, exporter, errors, ended }) => {
            const first = await store.create({ domain });
            const second = await store.create({ domain: "other.example.com" });
            queue.wake();
            const running = await exporter.nth(1);
            attempts.failures = 3;
            await running.complete();
            assert.equal(await ended(first.jobId), "completed");
            assert.equal(
                errors.filter((error) => /could not be stored, and the service tries again/.test(error)).length,
                3,
            );
            await (await exporter.nth(2)).complete();
            assert.equal(await ended(second.jobId), "completed");
        });
    });

    it("at the end of a failed job keeps its reason until there is room", async () => {
        await withQueue(async ({ store, attempts, queue, exporter, ended }) => {
            const { jobId } = await store.create({ domain });
            queue.wake();
            const running = await exporter.nth(1);
            attempts.failures = 2;
            running.fail(new Error("guide.md:12: not closed"));
            assert.equal(await ended(jobId), "failed");
            assert.equal((await store.get(jobId))?.error, "guide.md:12: not closed");
        });
    });

    it("before a job's start leaves it queued, and it is started when there is room", async () => {
        await withQueue(async ({ store, attempts, queue, exporter, errors, ended }) => {
            const { jobId } = await store.create({ domain });
            attempts.failures = 2;
            queue.wake();
            assert.equal((await store.get(jobId))?.status, "queued");
            await (await exporter.nth(1)).complete();
            assert.equal(await ended(jobId), "completed");
            assert.match(
                errors[0] ?? "",
                /^No export job could be started, and the service tries again: .*disk is full/,
            );
        });
    });
});

describe("A job that is interrupted", () => {
    const withStore = (use: (store: StaticExportStore, attempts: ExportAttempts) => Promise<void>): Promise<void> =>
        withFolder(async (dataDir) => {
            const database = openSqliteDatabase(dataDir);
            try {
                await use(new StaticExportStore(database, Date.now), new ExportAttempts(database, Date.now));
            } finally {
                await database.close();
            }
        });

    it("twice runs again, and a third time fails with a reason", async () => {
        await withStore(async (store, attempts) => {
            const { jobId } = await store.create({ domain });
            for (const failed of [0, 0, 1]) {
                await attempts.claim(true);
                assert.equal((await attempts.requeueRunning(3)).length, failed);
            }
            const job = await store.get(jobId);
            assert.equal(job?.status, "failed");
            assert.match(String(job?.error), /^The service ended 3 times while this job ran; .* Start a new export\.$/);
        });
    });

    for (const [starts, status, reported] of [
        [2, "completed", []],
        [3, "failed", [`Export job JOB of ${domain} failed: it was interrupted 3 times.`]],
    ] as const) {
        it(`is ${status} by the service that starts after ${starts} interruptions`, async () => {
            await withQueue(async ({ store, attempts, queue, exporter, errors, ended }) => {
                const { jobId } = await store.create({ domain });
                for (let start = 1; start < starts; start += 1) {
                    await attempts.claim(true);
                    await attempts.requeueRunning(9);
                }
                await attempts.claim(true);
                await queue.resume();
                if (status === "completed") {
                    await (await exporter.nth(1)).complete();
                }
                assert.equal(await ended(jobId), status);
                assert.deepEqual(
                    errors.map((error) => error.replace(jobId, "JOB")),
                    reported,
                );
            });
        });
    }

    it("is run without the other exports, so that it fails for none of them", async () => {
        await withQueue(async ({ store, attempts, queue, exporter, ended }) => {
            const interrupted: string[] = [];
            for (const name of [domain, "other.example.com"]) {
                interrupted.push((await store.create({ domain: name })).jobId);
                await attempts.claim(true);
            }
            await queue.resume();
            const first = await exporter.nth(1);
            const { jobId } = await store.create({ domain: "other.example.com" });
            queue.wake();
            for (let turns = 0; turns < 10; turns += 1) {
                await turn();
            }
            assert.equal(exporter.begun.length, 1);
            await first.complete();
            assert.equal(await ended(interrupted[0] as string), "completed");
            await (await exporter.nth(2)).complete();
            assert.equal(await ended(interrupted[1] as string), "completed");
            await (await exporter.nth(3)).complete();
            assert.equal(await ended(jobId), "completed");
        }, 2);
    });

    it("waits until the other exports have ended", async () => {
        await withQueue(async ({ store, attempts, queue, exporter, ended }) => {
            const { jobId } = await store.create({ domain });
            queue.wake();
            const running = await exporter.nth(1);
            const other = (await store.create({ domain: "other.example.com" })).jobId;
            await attempts.claim(true);
            const lost = (await attempts.running()).find((each) => each.jobId === other);
            assert.ok(lost);
            await attempts.takeFrom(lost, 3);
            queue.wake();
            assert.equal(await attempts.claim(false), undefined);
            await running.complete();
            assert.equal(await ended(jobId), "completed");
            await (await exporter.nth(2)).complete();
            assert.equal(await ended(other), "completed");
        }, 2);
    });

    it("by a service that is stopped on purpose runs again, however often", async () => {
        await withStore(async (store, attempts) => {
            const { jobId } = await store.create({ domain });
            for (let stop = 0; stop < 10; stop += 1) {
                const job = await attempts.claim(true);
                assert.ok(job);
                await attempts.putBack(job);
            }
            await attempts.claim(true);
            assert.deepEqual(await attempts.requeueRunning(3), []);
            assert.equal((await store.get(jobId))?.status, "queued");
        });
    });
});
