import { join } from "node:path";
import { BundlesInFolder } from "../../../service/src/storage/bundles-in-folder.js";
import { createOwnFolders, type StorageFolders, WorkFolders } from "../../../service/src/storage/storage-folders.js";
import { SiteJobs } from "../../../service/src/exports/site-jobs.js";
import { JobRunner, type AnyJobRunner } from "../../../service/src/jobs/runner.js";
import { SiteBuilder } from "../../../service/src/builds/site-builder.js";
import { SiteCheckouts } from "../../../service/src/exports/site-checkouts.js";
import { DatabaseUnavailableError } from "../../../service/src/database/database.js";
import { openSqliteDatabase } from "../../../service/src/database/sqlite-database.js";
import { SiteJobAttempts } from "../../../service/src/exports/site-job-attempts.js";
import { LiveProgress } from "../../../service/src/exports/live-progress.js";
import { type Site } from "../../../service/src/exports/site.js";
import { type SiteJob } from "../../../service/src/exports/site-job.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { JobHistory } from "../../../service/src/history/job-history.js";
import { JobLogs } from "../../../service/src/jobs/job-log.js";
import { type LogFields } from "../../../service/src/shared/logger.js";
import { domain, withFolder } from "./running-service.js";
import { ScriptedExporter } from "./scripted-exporter.js";

/** Fails like SQLite on a full disk for the number of calls that a spec sets. */
class AttemptsOnFullDisk extends SiteJobAttempts {
    failures = 0;
    failuresOfReads = 0;
    onFailure = (): void => undefined;

    override async claim(running?: readonly string[]): Promise<SiteJob | undefined> {
        this.#write();
        return super.claim(running);
    }

    override async complete(...args: Parameters<SiteJobAttempts["complete"]>): Promise<boolean> {
        this.#write();
        return super.complete(...args);
    }

    override async fail(...args: Parameters<SiteJobAttempts["fail"]>): Promise<boolean> {
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
    return new DatabaseUnavailableError("The database cannot be used: the disk is full.", {
        reason: "the disk is full",
    });
}

/** The disk of the work folders, as a spec sets it. */
class Disk {
    isFull = false;
    /** Called before each check, with the number of checks so far. */
    onCheck: (count: number) => void = () => undefined;
    #checks = 0;

    check(): Promise<void> {
        this.#checks += 1;
        this.onCheck(this.#checks);
        return this.isFull ? Promise.reject(new Error("the disk of work is full")) : Promise.resolve();
    }
}

class FoldersOnDisk extends WorkFolders {
    constructor(
        folders: StorageFolders,
        private readonly disk: Disk,
    ) {
        super(folders, 0);
    }

    override assertWritable(): Promise<void> {
        return this.disk.check();
    }
}

interface RunningQueue {
    store: SiteJobStore;
    attempts: AttemptsOnFullDisk;
    queue: AnyJobRunner;
    exporter: ScriptedExporter;
    disk: Disk;
    errors: string[];
    infos: string[];
    /** The fields of each line of the service's log, by its message. */
    fields: Map<string, LogFields | undefined>;
    ended: (jobId: string) => Promise<string>;
    /** The lines of a job's log that are stored. */
    logOf: (jobId: string) => Promise<string[]>;
}

interface QueueOptions {
    /** @default 1 */
    concurrency?: number;
    /** Both sites. @default a folder */
    site?: Partial<Site>;
    /** How long jobs may take to end when the queue closes. @default 0 */
    closeMs?: number;
    /** @default Date.now */
    clock?: () => number;
    /** Parts of the service that a spec replaces. */
    parts?: Partial<ConstructorParameters<typeof SiteJobs>[0]>;
}

/** Runs export jobs of two sites with a database that can fail, and an exporter that a spec controls. */
export async function withQueue(
    use: (running: RunningQueue) => Promise<void>,
    { concurrency = 1, site: given = {}, closeMs, clock = Date.now, parts = {} }: QueueOptions = {},
): Promise<void> {
    await withFolder(async (dataDir) => {
        const database = openSqliteDatabase(dataDir);
        const live = new LiveProgress(clock);
        const store = new SiteJobStore(database, clock, live);
        const attempts = new AttemptsOnFullDisk(database, clock, live);
        const folders = createOwnFolders(dataDir, [domain, "other.example.com"]);
        const bundles = new BundlesInFolder(folders);
        const exporter = new ScriptedExporter();
        const disk = new Disk();
        const errors: string[] = [];
        const infos: string[] = [];
        const fields = new Map<string, LogFields | undefined>();
        let onLog = (): void => undefined;
        const logAs = (lines: string[]) => (message: string, about?: LogFields) => {
            lines.push(message);
            fields.set(message, about);
            onLog();
        };
        const logger = { info: logAs(infos), error: logAs(errors) };
        const site: Site = { source: join(dataDir, "site"), basePath: undefined, ...given };
        const kind = new SiteJobs({
            attempts,
            bundles,
            caches: undefined,
            folders: new FoldersOnDisk(folders, disk),
            pruneCaches: () => Promise.resolve(),
            exporter,
            findSite: (name) => Promise.resolve([domain, "other.example.com"].includes(name) ? site : undefined),
            checkouts: new SiteCheckouts({ dataDir, tokens: new Map(), maxBytes: 2 ** 20, memoryMegabytes: 512 }),
            builder: new SiteBuilder({
                ...{ dataDir, secretFiles: [], sharesNetwork: false, siteFolders: () => [] },
                logger,
            }),
            dataDir,
            concurrency,
            settings: {},
            logger,
            ...parts,
        });
        const queue = new JobRunner(kind, logger, { retryMs: 1, closeMs });
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
        const logOf = async (jobId: string): Promise<string[]> => {
            const details = await new JobHistory(database, live, new JobLogs(clock)).details(jobId);
            return details?.log.map(({ message }) => message) ?? [];
        };
        try {
            await use({ store, attempts, queue, exporter, disk, errors, infos, fields, ended, logOf });
        } finally {
            await queue.close();
            await database.close();
        }
    });
}
