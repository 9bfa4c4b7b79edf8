import { resolve } from "node:path";
import { createStorage } from "./bundles/create-storage.js";
import { createSharedFolders, removeOldWork } from "./bundles/storage-folders.js";
import { waitForStorage } from "./bundles/wait-for-storage.js";
import { WorkFolders } from "./bundles/work-folders.js";
import { prepareDataFolder } from "./data-folder.js";
import { ExportQueue, maxStarts } from "./export/export-queue.js";
import { ProcessExporter } from "@pulumi-static-export/exporter";
import { resolveGitTokens } from "./export/git-tokens.js";
import { Retention } from "./export/retention.js";
import { SiteRepositories } from "./export/site-repositories.js";
import { StalledJobs } from "./export/stalled-jobs.js";
import { FaultSchedule } from "./faults/fault-schedule.js";
import { Operations } from "./operations/operations.js";
import { resolveLimits } from "./service-limits.js";
import { assertDatabaseUrl, resolveSites, type ServiceOptions } from "./service-options.js";
import { silentLogger } from "./shared/logger.js";
import { ExportAttempts } from "./store/export-attempts.js";
import { LiveProgress } from "./store/live-progress.js";
import { PostgresDatabase } from "./database/postgres-database.js";
import { StaticExportStore } from "./store/static-export-store.js";
import { waitForSchema } from "./database/wait-for-schema.js";

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

export interface WorkerOptions extends SharedOptions {
    /** The address of the PostgreSQL database, postgres://…. */
    database: string;
    /**
     * How often a running job says that it is alive, and stores its progress; one that is silent for three and a half of
     * these is given to another worker.
     * @default 10000
     */
    tickMs?: number;
    /** How often it looks for queued jobs. @default 1000 */
    pollMs?: number;
}

/** Runs the export jobs that services with the same database have queued. */
export interface Worker {
    /** Resolves when it looks for jobs; waits for the database, its schema and the storage. */
    start(): Promise<void>;
    /** Interrupts its jobs, requeues them, and releases all resources. */
    close(): Promise<void>;
}

const deadAfterTicks = 3.5;
/** More than all uploads of an archive take together. */
const maxStoringMs = 6 * 3600 * 1000;

/** @throws ServiceOptionsError, FaultSpecError, or an error about the data folder */
export function createWorker(options: WorkerOptions): Worker {
    const { strict, deployment, acknowledgeTryIt, privatePages, clock = Date.now, logger = silentLogger } = options;
    const { tickMs = 10_000, pollMs = 1000 } = options;
    assertDatabaseUrl(options.database);
    const limits = resolveLimits(options);
    const sites = resolveSites(options.sites);
    const gitTokens = resolveGitTokens(options.gitTokens);
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
    const operations = new Operations({ address: options.health, database, storage, store, clock, logger });
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
        }),
        dataDir,
        concurrency: limits.concurrency,
        strict,
        deployment,
        acknowledgeTryIt,
        privatePages,
        faults: new FaultSchedule(options.faults ?? []),
        retention: new Retention({ ...limits, store, storage, clock, logger }),
        onEnd: operations.jobEnded,
        logger,
        tickMs,
    });
    const stalled = new StalledJobs({ attempts, deadAfterMs: deadAfterTicks * tickMs, maxStarts, logger });
    const closing = new AbortController();
    const timers: NodeJS.Timeout[] = [];
    let checking: Promise<unknown> | undefined;
    const check = (): void => {
        checking ??= stalled
            .check()
            .catch((error: unknown) => logger.error(`Stalled jobs could not be looked for: ${String(error)}`))
            .finally(() => (checking = undefined));
    };

    const close = async (): Promise<void> => {
        closing.abort();
        operations.closing();
        timers.forEach((timer) => clearInterval(timer));
        await checking;
        await queue.close();
        await Promise.all([database.close(), storage.close(), operations.close()]);
    };
    let closed: Promise<void> | undefined;

    return {
        async start() {
            await operations.start();
            await waitForSchema(database, { signal: closing.signal, logger });
            await waitForStorage(storage, { signal: closing.signal, logger });
            timers.push(
                setInterval(() => queue.wake(), pollMs),
                setInterval(check, tickMs),
            );
            queue.wake();
            operations.started();
        },
        close: () => (closed ??= close()),
    };
}
