import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { type AgentOptions, assertProjectsOnForge, resolveAgent } from "../agents/agent-options.js";
import { AgentRunner } from "../agents/agent-jobs.js";
import { AgentLogs } from "../storage/agent-logs.js";
import { Bucket } from "../storage/s3-bucket.js";
import { type BucketOptions, resolveBucket } from "../storage/bucket-options.js";
import { lockFolder } from "../database/folder-lock.js";
import { PostgresDatabase } from "../database/postgres-database.js";
import { Operations } from "../monitoring/monitoring.js";
import { defaultKeepDays } from "./service-limits.js";
import { assertAtLeastOne, assertDatabaseUrl, resolveProjects, type ServiceOptions } from "./service-options.js";
import { dayMs } from "../shared/day-ms.js";
import { silentLogger } from "../shared/logger.js";
import { AgentRunStore } from "../agents/prompt-attempts.js";
import { AgentLogRecords } from "../storage/agent-log-records.js";
import { StaticExportStore } from "../exports/static-export-store.js";
import { createWorkerProcess, type Worker, type WorkerTimes } from "./worker-process.js";

export interface AgentWorkerOptions extends Pick<ServiceOptions, "health" | "clock" | "logger">, WorkerTimes {
    /** Mirrors of repositories, checkouts and logs; of this worker only. */
    dataDir: string;
    /** The address of the PostgreSQL database, postgres://…. */
    database: string;
    /** Where to keep logs: the bucket of the services. @default the data folder */
    bucket?: BucketOptions;
    agent: AgentOptions;
    /** Logs in the data folder are removed after this many days. @default 90 */
    keepDays?: number;
    /** The projects whose jobs it runs, as the services have them. */
    projects: NonNullable<ServiceOptions["projects"]>;
}

/**
 * Creates a worker that runs the prompts of agent jobs that services with the same database have stored. It runs no
 * exports: agents make untrusted changes, so their worker has none of the exports' folders and credentials.
 *
 * @throws ServiceOptionsError, or an error about the data folder, which it locks until it is closed
 */
export function createAgentWorker(options: AgentWorkerOptions): Worker {
    const { clock = Date.now, logger = silentLogger, keepDays = defaultKeepDays } = options;
    assertAtLeastOne("keepDays", keepDays);
    assertDatabaseUrl(options.database);
    const agent = resolveAgent(options.agent);
    const projects = resolveProjects(options.projects);
    assertProjectsOnForge(projects, agent);
    const location = options.bucket && resolveBucket(options.bucket);
    const dataDir = resolve(options.dataDir);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const unlock = lockFolder(dataDir);
    const database = new PostgresDatabase(options.database);
    const store = new StaticExportStore(database, clock);
    const bucket = location && new Bucket(location, (operation) => operations.storageFailed(operation));
    const operations = new Operations({
        address: options.health,
        database,
        storage: undefined,
        folders: [dataDir],
        store,
        clock,
        logger,
    });
    const worker = createWorkerProcess({
        ...options,
        kind: "Agent job",
        attempts: new AgentRunStore(database),
        // The run itself limits the starts of a prompt, because a change that has already been made is still pushed.
        maxStarts: Infinity,
        database,
        operations,
        runner: new AgentRunner({
            agent,
            database,
            dataDir,
            projects: [...projects.keys()],
            ...(bucket && { logs: new AgentLogs(bucket, new AgentLogRecords(database, clock)) }),
            logsKeptSince: () => clock() - keepDays * dayMs,
            logger,
            tickMs: options.tickMs,
        }),
        logger,
    });
    return {
        async start() {
            await bucket?.open();
            await worker.start();
        },
        async close() {
            try {
                await worker.close();
            } finally {
                await bucket?.close();
                unlock();
            }
        },
    };
}
