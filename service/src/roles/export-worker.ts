import { resolve } from "node:path";
import { createStorage } from "../storage/create-storage.js";
import { createSharedFolders, removeOldWork } from "../storage/storage-folders.js";
import { WorkFolders } from "../storage/work-folders.js";
import { prepareDataFolder } from "./data-folder.js";
import { ExportQueue, maxStarts } from "../exports/export-jobs.js";
import { nativeMegabytes, ProcessExporter } from "@pulumi-static-export/exporter";
import { resolveGitTokens } from "../exports/git-tokens.js";
import { Retention } from "../exports/retention.js";
import { SiteRepositories } from "../exports/site-checkouts.js";
import { FaultSchedule } from "../faults/fault-schedule.js";
import { Operations } from "../monitoring/monitoring.js";
import { resolveLimits } from "./service-limits.js";
import { assertDatabaseUrl, resolveSites, type ServiceOptions } from "./service-options.js";
import { silentLogger } from "../shared/logger.js";
import { AgentJobStore } from "../agents/agent-job-store.js";
import { ExportAttempts } from "../exports/export-attempts.js";
import { LiveProgress } from "../exports/live-progress.js";
import { PostgresDatabase } from "../database/postgres-database.js";
import { StaticExportStore } from "../exports/static-export-store.js";
import { createWorkerProcess, type Worker, type WorkerTimes } from "./worker-process.js";

/** The options of the service that a worker shares, with the same values. */
type SharedOptions = Pick<
    ServiceOptions,
    | "dataDir"
    | "bucket"
    | "health"
    | "sites"
    | "gitTokens"
    | "linkTtlSeconds"
    | "concurrency"
    | "strict"
    | "deployment"
    | "acknowledgeTryIt"
    | "privatePages"
    | "jobTimeoutSeconds"
    | "pageTimeoutSeconds"
    | "exportMemoryMegabytes"
    | "exportDiskMegabytes"
    | "keepDays"
    | "keepJobs"
    | "faults"
    | "exporter"
    | "clock"
    | "logger"
>;

export interface WorkerOptions extends SharedOptions, WorkerTimes {
    /** The address of the PostgreSQL database, postgres://…. */
    database: string;
}

/** More than all uploads of an archive take together. */
const maxStoringMs = 6 * 3600 * 1000;

export interface ExportWorker extends Worker {
    /** Replaces the fault switches, starting with the next job. @throws FaultSpecError */
    setFaults(specs: readonly string[]): void;
}

/**
 * Creates a worker that runs the export jobs that services with the same database have queued.
 *
 * @throws ServiceOptionsError, FaultSpecError, or an error about the data folder
 */
export function createWorker(options: WorkerOptions): ExportWorker {
    const { strict, deployment, acknowledgeTryIt, privatePages, clock = Date.now, logger = silentLogger } = options;
    assertDatabaseUrl(options.database);
    const limits = resolveLimits(options);
    const sites = resolveSites(options.sites);
    const gitTokens = resolveGitTokens(options.gitTokens);
    const schedule = new FaultSchedule(options.faults ?? []);
    const dataDir = resolve(options.dataDir);
    prepareDataFolder(dataDir, options.sites);
    const database = new PostgresDatabase(options.database);
    const live = new LiveProgress(clock);
    const store = new StaticExportStore(database, clock, live);
    const attempts = new ExportAttempts(database, clock, live);
    const folders = createSharedFolders(dataDir);
    removeOldWork(folders, limits.exportLimits.jobTimeoutMs + maxStoringMs);
    const onFailure = (operation: string): void => operations.storageFailed(operation);
    const storage = createStorage({ bucket: options.bucket, folders, database, clock, onFailure, logger });
    const operations = new Operations({
        address: options.health,
        database,
        storage,
        folders: Object.values(folders) as string[],
        store,
        clock,
        logger,
    });
    const queue = new ExportQueue({
        attempts,
        storage,
        folders: new WorkFolders(folders),
        exporter: options.exporter ?? new ProcessExporter(limits.exportLimits),
        sites,
        repositories: new SiteRepositories({
            dataDir,
            tokens: gitTokens,
            maxBytes: limits.exportLimits.diskMegabytes * 2 ** 20,
            memoryMegabytes: limits.exportLimits.memoryMegabytes + nativeMegabytes,
        }),
        dataDir,
        concurrency: limits.concurrency,
        strict,
        deployment,
        acknowledgeTryIt,
        privatePages,
        faults: schedule,
        retention: new Retention({
            ...limits,
            store,
            agentJobs: new AgentJobStore(database, clock),
            storage,
            clock,
            logger,
        }),
        onEnd: operations.jobEnded,
        logger,
        tickMs: options.tickMs,
    });
    const worker = createWorkerProcess({
        ...options,
        kind: "Export job",
        attempts,
        maxStarts,
        database,
        storage,
        operations,
        runner: queue,
        logger,
    });
    return { ...worker, setFaults: (specs) => schedule.set(specs) };
}
