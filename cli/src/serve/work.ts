import { type Worker } from "@pulumi-static-export/service";
import { resolve } from "node:path";
import { UsageError } from "../command-line/usage-error.js";
import { type AgentSettings, readAgent } from "./agent-options.js";
import { readBucket } from "./bucket-options.js";
import { describeSites, type JobSettings, readJobSettings } from "./shared-options.js";
import { createServiceLog, type ServiceLog } from "./service-log.js";
import { stopOnSignal } from "./stop-on-signal.js";

/** The options of `static-export work`, parsed. Without sites, the worker runs agents. */
export interface WorkOptions extends JobSettings, AgentSettings {
    database: string;
    concurrency: number;
    tickSeconds: number;
    graceSeconds: number;
}

/** Runs a worker until a signal stops it. @throws UsageError if it cannot start with these options */
export async function work(options: WorkOptions): Promise<void> {
    const { FaultSpecError, ServiceOptionsError } = await import("@pulumi-static-export/service");
    const log = createServiceLog(options.logFormat);
    try {
        const worker = await createWorkerFor(options, log);
        stopOnSignal(worker, log);
        await worker.start();
    } catch (error) {
        if ((error as Error).name === "AbortError") {
            return;
        }
        throw error instanceof ServiceOptionsError || error instanceof FaultSpecError
            ? new UsageError(error.message)
            : error;
    }
    log.started(`Worker for ${describeSites(options) || Object.keys(options.agentProject ?? {}).join(", ")}`, []);
}

async function createWorkerFor(options: WorkOptions, log: ServiceLog): Promise<Worker> {
    const { createAgentWorker, createWorker } = await import("@pulumi-static-export/service");
    const { site, sitesFile, database, concurrency, health } = options;
    const [tickMs, closeMs] = [options.tickSeconds * 1000, options.graceSeconds * 1000];
    if (site !== undefined || sitesFile !== undefined) {
        return createWorker({ ...readJobSettings(options), database, concurrency, tickMs, closeMs });
    }
    const agent = readAgent(options, process.env);
    if (agent === undefined || options.agentProject === undefined) {
        throw new UsageError("--agent-command and --agent-project must be used together.");
    }
    const bucket = readBucket(options);
    return createAgentWorker({
        dataDir: resolve(options.dataDir),
        database,
        agent: { ...agent, concurrency },
        projects: options.agentProject,
        keepDays: options.keepDays,
        tickMs,
        logger: log,
        ...(bucket === undefined ? {} : { bucket }),
        ...(health === undefined ? {} : { health }),
    });
}
