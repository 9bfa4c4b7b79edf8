import { type ExportLimits } from "@pulumi-static-export/exporter";
import { dayMs } from "../shared/day-ms.js";
import { availableParallelism } from "node:os";
import { ServiceOptionsError } from "../shared/service-options-error.js";

/** The numeric options, with their defaults. */
const defaults = {
    linkTtlSeconds: 3600,
    concurrency: 2,
    agentStartsPerHour: 100,
    maxQueuedJobs: 500,
    maxQueuedJobsPerDomain: 50,
    keepDays: 90,
    keepJobs: 200,
    keepKeysDays: 7,
    jobTimeoutSeconds: 900,
    pageTimeoutSeconds: 30,
    exportMemoryMegabytes: 1024,
    exportDiskMegabytes: 4096,
    cacheDiskMegabytes: 2048,
};

type Numbers = typeof defaults;

export interface ServiceLimits extends Numbers {
    exportLimits: ExportLimits;
}

/** @throws ServiceOptionsError for an option that is not a whole number of at least 1 */
export function resolveLimits(options: {
    readonly [Name in keyof Numbers | "exportCores"]?: number | undefined;
}): ServiceLimits {
    const limits = { ...defaults };
    for (const name of Object.keys(defaults) as (keyof Numbers)[]) {
        limits[name] = options[name] ?? defaults[name];
        assertAtLeastOne(name, limits[name]);
    }
    // The exports of a process share its cores.
    const exportCores = options.exportCores ?? Math.max(1, Math.floor(availableParallelism() / limits.concurrency));
    assertAtLeastOne("exportCores", exportCores);
    return {
        ...limits,
        exportLimits: {
            cores: exportCores,
            memoryMegabytes: limits.exportMemoryMegabytes,
            diskMegabytes: limits.exportDiskMegabytes,
            jobTimeoutMs: limits.jobTimeoutSeconds * 1000,
            pageTimeoutMs: limits.pageTimeoutSeconds * 1000,
        },
    };
}

/** The limits as numbers, for clients. */
export function numbersOf({ exportLimits: _, ...numbers }: ServiceLimits): Record<string, number> {
    return numbers;
}

/**
 * Checks that keys are stored for longer than a job may run: otherwise, a repeated start could begin another job.
 *
 * @throws ServiceOptionsError
 */
export function assertKeysOutlastJobs({ keepKeysDays, exportLimits }: ServiceLimits, agentLimitMs: number): void {
    const maxJobMs = Math.max(exportLimits.jobTimeoutMs, agentLimitMs);
    if (keepKeysDays * dayMs <= maxJobMs) {
        throw new ServiceOptionsError(
            `keepKeysDays must be more than the time limit of a job, which is ${maxJobMs / dayMs} days: got ${keepKeysDays}.`,
        );
    }
}

/** @throws ServiceOptionsError */
function assertAtLeastOne(name: string, value: number): void {
    if (!Number.isSafeInteger(value) || value < 1) {
        throw new ServiceOptionsError(`${name} must be a whole number of at least 1, got ${value}.`);
    }
}
