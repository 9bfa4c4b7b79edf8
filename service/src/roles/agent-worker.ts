import { type AgentOptions, assertProjectsOnForge, resolveAgent } from "../agents/agent-options.js";
import { lockFolder } from "../database/open-sqlite.js";
import { parseDatabaseUrl } from "../database/postgres-address.js";
import { type JobRunnerTimes } from "../jobs/runner.js";
import { silentLogger } from "../shared/logger.js";
import { createAgentRunner } from "./agent-runner.js";
import { prepareDataFolder } from "./data-folder.js";
import { openParts } from "./open-parts.js";
import { resolveLimits } from "./service-limits.js";
import { resolveProjects, resolvePublicUrl, type ServiceOptions } from "./service-options.js";
import { createWorkerProcess, type Worker } from "./worker-process.js";

export interface AgentWorkerOptions
    extends
        Pick<ServiceOptions, "bucket" | "health" | "keepDays" | "gitStallSeconds" | "publicUrl" | "clock" | "logger">,
        JobRunnerTimes {
    /** Contains this worker's mirrors of repositories, checkouts and logs. */
    dataDir: string;
    /** The address of the PostgreSQL database, `postgres://…`. */
    database: string;
    agent: AgentOptions;
    /** The projects whose jobs it runs, as configured for the services. */
    projects: NonNullable<ServiceOptions["projects"]>;
}

/**
 * Creates a worker that runs the prompts of agent jobs that services with the same database have stored. The worker
 * runs no exports: agents run untrusted code, so their worker has no access to the exports' folders and credentials.
 *
 * Locks the data folder until it is closed.
 *
 * @throws ServiceOptionsError
 */
export function createAgentWorker(options: AgentWorkerOptions): Worker {
    const { database, bucket, health, clock, logger = silentLogger } = options;
    const { keepDays, gitStallSeconds } = resolveLimits(options);
    parseDatabaseUrl(database);
    const agent = resolveAgent(options.agent);
    const projects = resolveProjects(options.projects);
    assertProjectsOnForge(projects, agent);
    const dataDir = prepareDataFolder(options.dataDir);
    const unlock = lockFolder(dataDir);
    const parts = openParts({ role: "agents", dataDir, database, bucket, health, clock, logger });
    const publicUrl = options.publicUrl === undefined ? undefined : resolvePublicUrl(options.publicUrl);
    const served = { projects: [...projects.keys()], keepDays, gitStallSeconds, publicUrl };
    const runner = createAgentRunner(parts, { agent, ...served, times: options });
    const worker = createWorkerProcess(parts, runner, { kind: "agent", concurrency: agent.concurrency });
    return {
        async start() {
            await parts.storage.open();
            await worker.start();
        },
        async close() {
            try {
                await worker.close();
            } finally {
                unlock();
            }
        },
    };
}
