import { AgentJobStore } from "../agents/agent-job-store.js";
import { DatabaseClock } from "../database/database-clock.js";
import { type ServiceDatabase } from "../database/database.js";
import { PostgresDatabase } from "../database/postgres-database.js";
import { openSqliteDatabase } from "../database/sqlite-database.js";
import { untilReached, waitForSchema } from "../database/postgres-schema.js";
import { LiveProgress } from "../exports/live-progress.js";
import { SiteJobStore } from "../exports/site-job-store.js";
import { AuditLog } from "../history/audit-log.js";
import { AgentHistory } from "../history/agent-history.js";
import { JobHistory } from "../history/job-history.js";
import { SiteOverview } from "../history/site-overview.js";
import { createWorkerId, Workers } from "../history/workers.js";
import { JobLogs } from "../jobs/job-log.js";
import { AdminKeys } from "../keys/admin-keys.js";
import { RetentionRounds } from "../jobs/retention-rounds.js";
import { LinkSecrets } from "../keys/link-secrets.js";
import { SessionRecords } from "../keys/session-records.js";
import { type HealthAddress } from "../monitoring/health-server.js";
import { Monitoring } from "../monitoring/monitoring.js";
import { type ServiceLogger } from "../shared/logger.js";
import { type BucketOptions } from "../storage/bucket-options.js";
import { waitForStorage } from "../storage/bundle-storage.js";
import { createStorage, type Storage } from "../storage/create-storage.js";
import { createOwnFolders, createSharedFolders, foldersIn, type StorageFolders } from "../storage/storage-folders.js";

/** What a process does: everything, with its own database; or one part of the work of a shared database. */
type Role = "alone" | "api" | "exports" | "agents";

interface PartsOptions {
    role: Role;
    /** Exists already. */
    dataDir: string;
    /** Undefined if the database is in the data folder, for this process only. */
    database: string | undefined;
    bucket: BucketOptions | undefined;
    /** Canonical domains. A process that is alone removes the caches of other domains. @default none */
    domains?: readonly string[];
    /** What is wrong in the file of sites. @default nothing */
    siteFaults?: (() => readonly string[]) | undefined;
    health: HealthAddress | undefined;
    /** @default the shared database's time, or this machine's */
    clock: (() => number) | undefined;
    logger: ServiceLogger;
}

/** The parts that a process of the service opens, in any of its roles. */
export interface Parts {
    readonly dataDir: string;
    readonly database: ServiceDatabase;
    readonly role: Role;
    readonly folders: StorageFolders;
    readonly storage: Storage;
    /** Whether the process reads or writes bundles. */
    readonly hasBundles: boolean;
    /** Whether the process is ready only when its storage is reachable. */
    readonly needsStorage: boolean;
    /** The folders to which the process's jobs write; empty if it runs no jobs. */
    readonly jobFolders: readonly string[];
    readonly live: LiveProgress;
    readonly jobLogs: JobLogs;
    readonly history: JobHistory;
    readonly agentHistory: AgentHistory;
    readonly overview: SiteOverview;
    readonly adminKeys: AdminKeys;
    readonly linkSecrets: LinkSecrets;
    readonly sessionRecords: SessionRecords;
    readonly audit: AuditLog;
    readonly workers: Workers;
    /** The id of this process as a worker. */
    readonly workerId: string;
    readonly siteJobs: SiteJobStore;
    readonly agentJobs: AgentJobStore;
    readonly retentionRounds: RetentionRounds;
    readonly siteFaults: () => readonly string[];
    readonly monitoring: Monitoring;
    readonly databaseClock: DatabaseClock;
    /** The database's time. */
    readonly clock: () => number;
    readonly logger: ServiceLogger;
    /** Waits until a shared database, its schema and the storage are usable. */
    waitUntilReady(signal: AbortSignal): Promise<void>;
    /** Runs a step of the start, and repeats it until a shared database can be reached. */
    untilReached(step: () => Promise<void>, signal: AbortSignal): Promise<void>;
    close(): Promise<void>;
}

/** @throws ServiceOptionsError, or an error about the database in the data folder */
export function openParts(options: PartsOptions): Parts {
    const { role, dataDir, siteFaults = () => [], bucket, health, logger } = options;
    const hasBundles = role !== "agents";
    const runsJobs = role !== "api";
    const database =
        options.database === undefined ? openSqliteDatabase(dataDir) : new PostgresDatabase(options.database);
    const databaseClock = new DatabaseClock(
        options.clock === undefined ? database : {},
        options.clock ?? Date.now,
        logger,
    );
    const clock = databaseClock.now;
    const folders = prepareFolders(options);
    const monitoring = new Monitoring(health, clock, logger);
    const storage = createStorage({ bucket, folders, database, clock, onFailure: monitoring.storageFailed, logger });
    const live = new LiveProgress(clock);
    const jobLogs = new JobLogs(clock);
    const linkSecrets = new LinkSecrets(database, clock);
    const audit = new AuditLog(database, clock, logger);
    const history = new JobHistory(database, live, jobLogs);
    return {
        dataDir,
        database,
        role,
        folders,
        storage,
        hasBundles,
        // A bucket that fails, fails for all API processes: none could answer instead of the others.
        needsStorage: hasBundles && (runsJobs || bucket === undefined),
        jobFolders: !runsJobs ? [] : !hasBundles ? [dataDir] : (Object.values(folders) as string[]),
        live,
        jobLogs,
        history,
        overview: new SiteOverview(history),
        agentHistory: new AgentHistory(database, dataDir, storage.agentLogs),
        adminKeys: new AdminKeys(database, clock),
        linkSecrets,
        sessionRecords: new SessionRecords(database, clock),
        audit,
        workers: new Workers(database, clock),
        workerId: createWorkerId(),
        siteJobs: new SiteJobStore(database, clock, live),
        agentJobs: new AgentJobStore(database, clock),
        retentionRounds: new RetentionRounds(database, clock),
        siteFaults,
        monitoring,
        databaseClock,
        clock,
        logger,
        async waitUntilReady(signal) {
            signal.throwIfAborted();
            // Only a shared database can be unavailable.
            if (role !== "alone") {
                await waitForSchema(database, { signal, logger });
                await untilReached(() => databaseClock.start(), { signal, logger });
            }
            if (role !== "alone" && hasBundles) {
                await waitForStorage(storage.bundles, { signal, logger });
            }
        },
        async untilReached(step, signal) {
            await (role === "alone" ? step() : untilReached(step, { signal, logger }));
        },
        async close() {
            databaseClock.stop();
            linkSecrets.stop();
            await audit.close();
            await Promise.all([database.close(), storage.close(), monitoring.close()]);
        },
    };
}

function prepareFolders({ role, dataDir, domains = [] }: PartsOptions): StorageFolders {
    if (role === "agents") {
        return foldersIn(dataDir);
    }
    return role === "alone" ? createOwnFolders(dataDir, domains) : createSharedFolders(dataDir);
}
