import { type HealthAddress, type Worker } from "@pulumi-static-export/service";
import { resolve } from "node:path";
import { UsageError } from "../command-line/usage-error.js";
import { type AgentSettings, readAgent } from "./agent-options.js";
import { readBucket } from "./bucket-options.js";
import { describeSites, type JobSettings, readBuildsKey, readJobSettings } from "./shared-options.js";
import { readLimits } from "./limit-options.js";
import { createServiceLog, type ServiceLog } from "./service-log.js";
import { stopOnSignal } from "./stop-on-signal.js";

/** The options of `static-export work`, parsed. Without sites, the worker runs agents. */
export interface WorkOptions extends JobSettings, AgentSettings {
    database: string;
    concurrency: number;
    tickSeconds: number;
    graceSeconds: number;
    builds?: boolean;
    buildsListen?: HealthAddress;
}

/** Runs a worker until a signal stops it. @throws UsageError if it cannot start with these options */
export async function work(options: WorkOptions): Promise<void> {
    await runUntilSignal(
        options,
        (log) => createWorkerFor(options, log),
        `Worker for ${describeSites(options) || Object.keys(options.agentProject ?? {}).join(", ")}`,
    );
}

/** Runs a build worker until a signal stops it. @throws UsageError if it cannot start with these options */
export async function workOnBuilds(options: WorkOptions): Promise<void> {
    const { createBuildWorker } = await import("@pulumi-static-export/service");
    const listen = options.buildsListen ?? { host: "127.0.0.1", port: 8790 };
    const { dataDir, buildsKeyEnv, buildsShareNetwork, buildsReach = [] } = options;
    await runUntilSignal(
        options,
        (logger) =>
            Promise.resolve(
                createBuildWorker({
                    ...readLimits(options),
                    dataDir: resolve(dataDir),
                    listen,
                    buildsShareNetwork,
                    buildsReach,
                    logger,
                    key: readBuildsKey(buildsKeyEnv),
                    ...(options.health === undefined ? {} : { health: options.health }),
                }),
            ),
        `Build worker on ${listen.host}:${listen.port}`,
    );
}

async function runUntilSignal(
    { logFormat }: Pick<WorkOptions, "logFormat">,
    create: (log: ServiceLog) => Promise<Worker>,
    title: string,
): Promise<void> {
    const { FaultSpecError, ServiceOptionsError } = await import("@pulumi-static-export/service");
    const log = createServiceLog(logFormat);
    try {
        const worker = await create(log);
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
    log.started(title, []);
}

async function createWorkerFor(options: WorkOptions, log: ServiceLog): Promise<Worker> {
    const { createAgentWorker, createWorker } = await import("@pulumi-static-export/service");
    const { site, sitesFile, database, concurrency, health } = options;
    const [tickMs, closeMs] = [options.tickSeconds * 1000, options.graceSeconds * 1000];
    if (site !== undefined || sitesFile !== undefined) {
        return createWorker({ ...readJobSettings(options), database, tickMs, closeMs });
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
        ...readLimits(options),
        tickMs,
        logger: log,
        ...(bucket === undefined ? {} : { bucket }),
        ...(health === undefined ? {} : { health }),
    });
}
