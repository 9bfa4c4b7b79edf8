import { type Worker } from "@pulumi-static-export/service";
import { UsageError } from "../command-line/usage-error.js";
import { readAgent } from "./read-agent.js";
import {
    describeSites,
    describeStorage,
    type JobSettings,
    readBucket,
    readHealth,
    readJobSettings,
    readPods,
} from "./service-settings.js";
import { createServiceLog, type ServiceLog } from "./service-log.js";
import { stopOnSignal } from "./stop-on-signal.js";

/** The options of `static-export work`, parsed. Without sites, the worker runs agents. */
export interface WorkOptions extends JobSettings {
    database: string;
}

/** Runs a worker until a signal stops it. @throws UsageError if it cannot start with these options */
export async function work(options: WorkOptions): Promise<void> {
    const { ServiceOptionsError, surviveUncaughtErrors } = await import("@pulumi-static-export/service");
    const log = createServiceLog(options.logFormat);
    try {
        const worker = await createWorkerFor(options, log);
        surviveUncaughtErrors(log);
        stopOnSignal(worker, log);
        await worker.start();
    } catch (error) {
        if ((error as Error).name === "AbortError") {
            return;
        }
        throw error instanceof ServiceOptionsError ? new UsageError(error.message) : error;
    }
    const what = describeSites(options) || Object.keys(options.projects ?? {}).join(", ");
    log.started(`Worker for ${what}`, describeStorage(options));
}

/** Runs in the pod of a build or an agent, before or after the command. @throws UsageError outside of such a pod */
export async function workInPod(step: "receive" | "send"): Promise<void> {
    const { runPodStep, ServiceOptionsError } = await import("@pulumi-static-export/service");
    try {
        await runPodStep(step, process.env);
    } catch (error) {
        throw error instanceof ServiceOptionsError ? new UsageError(error.message) : error;
    }
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
        agent: { ...agent, concurrency, pods: readPods(options) },
        projects,
        bucket: readBucket(options),
        health: readHealth(options),
        // The flag is for exports.
        closeMs: 0,
        logger: log,
    });
}
