import assert from "node:assert/strict";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { BundlesInFolder } from "../../../service/src/storage/bundles-in-folder.js";
import { createOwnFolders } from "../../../service/src/storage/storage-folders.js";
import { WorkFolders } from "../../../service/src/storage/storage-folders.js";
import { ExportJobs } from "../../../service/src/exports/export-jobs.js";
import { JobRunner, type Runner } from "../../../service/src/jobs/runner.js";
import { SiteCheckouts } from "../../../service/src/exports/site-checkouts.js";
import { FaultSchedule } from "../../../service/src/faults/fault-schedule.js";
import { openSqliteDatabase } from "../../../service/src/database/sqlite-database.js";
import { ExportAttempts } from "../../../service/src/exports/export-attempts.js";
import { parseGitSource } from "../../../service/src/exports/git-source.js";
import { type Site } from "../../../service/src/exports/site.js";
import { type StaticExportJob } from "../../../service/src/exports/static-export-job.js";
import { StaticExportStore } from "../../../service/src/exports/static-export-store.js";
import { GitServer } from "../support/git-server.js";
import { domain, withFolder } from "../support/running-service.js";
import { ScriptedExporter } from "../support/scripted-exporter.js";

/** Fails as SQLite does on a full disk, as often as it is told to. */
class AttemptsOnFullDisk extends ExportAttempts {
    failures = 0;
    failuresOfReads = 0;
    onFailure = (): void => undefined;

    override async claim(running?: readonly string[]): Promise<StaticExportJob | undefined> {
        this.#write();
        return super.claim(running);
    }

    override async complete(...args: Parameters<ExportAttempts["complete"]>): Promise<boolean> {
        this.#write();
        return super.complete(...args);
    }

    override async fail(...args: Parameters<ExportAttempts["fail"]>): Promise<boolean> {
        this.#write();
        return super.fail(...args);
    }

    override async findPublishedCommit(site: string): Promise<string | undefined> {
        if (this.failuresOfReads > 0) {
            this.failuresOfReads -= 1;
            throw diskFull();
        }
        return super.findPublishedCommit(site);
    }

    #write(): void {
        if (this.failures > 0) {
            this.failures -= 1;
            this.onFailure();
            throw diskFull();
        }
    }
}

function diskFull(): Error {
    return Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
}

interface RunningQueue {
    store: StaticExportStore;
    attempts: AttemptsOnFullDisk;
    queue: Runner;
    exporter: ScriptedExporter;
    errors: string[];
    ended: (jobId: string) => Promise<string>;
}

/** @param source - of both sites; a folder by default */
async function withQueue(
    use: (running: RunningQueue) => Promise<void>,
    concurrency = 1,
    source?: Site["source"],
): Promise<void> {
    await withFolder(async (dataDir) => {
        const database = openSqliteDatabase(dataDir);
        const store = new StaticExportStore(database, Date.now);
        const attempts = new AttemptsOnFullDisk(database, Date.now);
        const folders = createOwnFolders(dataDir, [domain, "other.example.com"]);
        const storage = new BundlesInFolder(folders);
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
        const site: Site = { source: source ?? join(dataDir, "site"), basePath: undefined };
        const kind = new ExportJobs({
            attempts,
            storage,
            caches: undefined,
            folders: new WorkFolders(folders),
            pruneCaches: () => Promise.resolve(),
            exporter,
            sites: new Map([
                [domain, site],
                ["other.example.com", site],
            ]),
            checkouts: new SiteCheckouts({ dataDir, tokens: new Map(), maxBytes: 2 ** 20, memoryMegabytes: 512 }),
            dataDir,
            concurrency,
            settings: {},
            faults: new FaultSchedule([]),
            logger,
        });
        const queue = new JobRunner(kind, logger, { retryMs: 1 });
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
            await queue.startAlone();
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
            await queue.startAlone();
            const running = await exporter.nth(1);
            attempts.failures = 2;
            running.fail(new Error("guide.md:12: not closed"));
            assert.equal(await ended(jobId), "failed");
            assert.equal((await store.get(jobId))?.error, "guide.md:12: not closed");
        });
    });

    it("before a repository is fetched delays its export until there is room", async () => {
        const server = await GitServer.start();
        try {
            await server.commit({ "index.md": "# Start\n" });
            const source = parseGitSource(domain, `git+${server.url}#main`);
            await withQueue(
                async ({ store, attempts, queue, exporter, errors, ended }) => {
                    const { jobId } = await store.create({ domain });
                    attempts.failuresOfReads = 2;
                    await queue.startAlone();
                    await (await exporter.nth(1)).complete();
                    assert.equal(await ended(jobId), "completed");
                    assert.deepEqual(
                        errors.map((error) => error.replace(/^Export job \S+ of \S+ /, "")),
                        Array<string>(2).fill("waits to read the published commit: Error: database or disk is full"),
                    );
                },
                1,
                source,
            );
        } finally {
            await server.stop();
        }
    });

    it("before a job's start leaves it queued until there is room", async () => {
        await withQueue(async ({ store, attempts, queue, exporter, errors, ended }) => {
            const { jobId } = await store.create({ domain });
            attempts.failures = 2;
            await queue.startAlone();
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

    for (const [interruptions, status, error] of [
        [2, "completed", null],
        [3, "failed", "The service ended 3 times while this job ran; it is not run again. Start a new export."],
    ] as const) {
        it(`is ${status} by the service that starts after ${interruptions} interruptions`, async () => {
            await withQueue(async ({ store, attempts, queue, exporter, ended }) => {
                const { jobId } = await store.create({ domain });
                for (let start = 1; start < interruptions; start += 1) {
                    await attempts.claim();
                    await attempts.takeAll();
                }
                await attempts.claim();
                await queue.startAlone();
                if (status === "completed") {
                    await (await exporter.nth(1)).complete();
                }
                assert.equal(await ended(jobId), status);
                assert.equal((await store.get(jobId))?.error ?? null, error);
                assert.equal(exporter.begun.length, status === "completed" ? 1 : 0);
            });
        });
    }

    it("runs without the other exports, so that it fails for none of them", async () => {
        await withQueue(async ({ store, attempts, queue, exporter, ended }) => {
            const interrupted: string[] = [];
            for (const name of [domain, "other.example.com"]) {
                interrupted.push((await store.create({ domain: name })).jobId);
                await attempts.claim();
            }
            await queue.startAlone();
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
            await queue.startAlone();
            const running = await exporter.nth(1);
            const other = (await store.create({ domain: "other.example.com" })).jobId;
            await attempts.claim();
            const lost = (await attempts.running()).find((each) => each.jobId === other);
            assert.ok(lost);
            await attempts.takeFrom(lost);
            queue.wake();
            assert.equal(await attempts.claim([jobId]), undefined);
            await running.complete();
            assert.equal(await ended(jobId), "completed");
            await (await exporter.nth(2)).complete();
            assert.equal(await ended(other), "completed");
        }, 2);
    });

    it("by a service that is stopped on purpose runs again, however often", async () => {
        await withStore(async (store, attempts) => {
            await store.create({ domain });
            for (let stop = 0; stop < 10; stop += 1) {
                const job = await attempts.claim();
                assert.ok(job);
                await attempts.putBack(job);
            }
            assert.equal((await attempts.claim())?.starts, 1);
        });
    });
});
