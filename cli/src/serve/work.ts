import { type DeploymentType } from "@pulumi-static-export/contract";
import { type HealthAddress } from "@pulumi-static-export/service";
import { resolve } from "node:path";
import { type BucketSettings, readBucket } from "./bucket-options.js";
import { createServiceLog, type LogFormat } from "./service-log.js";
import { stopOnSignal } from "./stop-on-signal.js";
import { UsageError } from "../command-line/usage-error.js";

/** The options of `static-export work`, parsed. */
export interface WorkOptions extends BucketSettings {
    database: string;
    dataDir: string;
    site: Record<string, string>;
    concurrency: number;
    linkTtlSeconds: number;
    jobTimeoutSeconds: number;
    exportMemoryMb: number;
    exportDiskMb: number;
    keepDays: number;
    keepJobs: number;
    tickSeconds: number;
    strict: boolean;
    deployment: DeploymentType;
    acknowledgeTryIt: boolean;
    fault?: string[];
    health?: HealthAddress;
    logFormat: LogFormat;
}

/** Runs a worker until a signal stops it. @throws UsageError when it cannot start as asked */
export async function work(options: WorkOptions): Promise<void> {
    const { createWorker, FaultSpecError, ServiceOptionsError } = await import("@pulumi-static-export/service");
    const bucket = readBucket(options);
    const log = createServiceLog(options.logFormat);
    try {
        const worker = createWorker({
            database: options.database,
            dataDir: resolve(options.dataDir),
            ...(bucket === undefined ? {} : { bucket }),
            sites: options.site,
            concurrency: options.concurrency,
            linkTtlSeconds: options.linkTtlSeconds,
            strict: options.strict,
            deployment: options.deployment,
            acknowledgeTryIt: options.acknowledgeTryIt,
            jobTimeoutSeconds: options.jobTimeoutSeconds,
            exportMemoryMegabytes: options.exportMemoryMb,
            exportDiskMegabytes: options.exportDiskMb,
            keepDays: options.keepDays,
            keepJobs: options.keepJobs,
            tickMs: options.tickSeconds * 1000,
            ...(options.fault === undefined ? {} : { faults: options.fault }),
            ...(options.health === undefined ? {} : { health: options.health }),
            logger: log,
        });
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
    log.started(`Worker for ${Object.keys(options.site).join(", ")}`, []);
}
