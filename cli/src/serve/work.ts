import { type Worker } from "@pulumi-static-export/service";
import { UsageError } from "../command-line/usage-error.js";
import { listeningHost } from "../command-line/listening-host.js";
import { readAgent } from "./read-agent.js";
import {
    describeSites,
    type JobSettings,
    readBucket,
    readBuildsKey,
    readHealth,
    readJobSettings,
} from "./service-settings.js";
import { createServiceLog, type ServiceLog } from "./service-log.js";
import { stopOnSignal } from "./stop-on-signal.js";

/** The options of `static-export work`, parsed. Without sites, the worker runs agents. */
export interface WorkOptions extends JobSettings {
    database: string;
}

/** Runs a worker until a signal stops it. @throws UsageError if it cannot start with these options */
export async function work(options: WorkOptions): Promise<void> {
    await runUntilSignal(
        options,
        (log) => createWorkerFor(options, log),
        `Worker for ${describeSites(options) || Object.keys(options.projects ?? {}).join(", ")}`,
    );
}

/** Runs a build worker until a signal stops it. @throws UsageError if it cannot start with these options */
export async function workOnBuilds(options: WorkOptions): Promise<void> {
    const { createBuildWorker } = await import("@pulumi-static-export/service");
    const { host, port } = options.buildsListen ?? { host: "127.0.0.1", port: 8790 };
    await runUntilSignal(
        options,
        (logger) => {
            const key = readBuildsKey(options.buildsKeyEnv);
            const listen = { host: listeningHost(host), port };
            return Promise.resolve(createBuildWorker({ ...options, listen, logger, key, health: readHealth(options) }));
        },
        `Build worker on ${host}:${port}`,
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
    const { sites, sitesFile, concurrency, projects } = options;
    if (sites !== undefined || sitesFile !== undefined) {
        return createWorker({ ...readJobSettings(options), database: options.database });
    }
    const agent = readAgent(options, process.env);
    if (agent === undefined || projects === undefined) {
        throw new UsageError("--agent-command and --agent-project must be used together.");
    }
    return createAgentWorker({
        ...options,
        agent: { ...agent, concurrency },
        projects,
        bucket: readBucket(options),
        health: readHealth(options),
        // The flag is for exports.
        closeMs: 0,
        logger: log,
    });
}
