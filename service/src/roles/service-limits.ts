import { type ExportLimits } from "@pulumi-static-export/exporter";
import { assertAtLeastOne, type ServiceOptions } from "./service-options.js";
import { dayMs } from "../shared/day-ms.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";

export const defaultKeepDays = 90;

/** The options that are numbers, with their defaults. */
export interface ServiceLimits {
    linkTtlSeconds: number;
    concurrency: number;
    agentStartsPerHour: number;
    maxQueuedJobs: number;
    maxQueuedJobsPerDomain: number;
    keepDays: number;
    keepJobs: number;
    keepKeysDays: number;
    exportLimits: ExportLimits;
}

/** @throws ServiceOptionsError for one that is not a whole number of at least 1 */
export function resolveLimits(options: Partial<ServiceOptions>): ServiceLimits {
    const { linkTtlSeconds = 3600, concurrency = 2, agentStartsPerHour = 100, keepJobs = 200 } = options;
    const { keepDays = defaultKeepDays, keepKeysDays = 7 } = options;
    const { maxQueuedJobs = 500, maxQueuedJobsPerDomain = 50 } = options;
    const { jobTimeoutSeconds = 900, pageTimeoutSeconds = 30 } = options;
    const { exportMemoryMegabytes = 1024, exportDiskMegabytes = 4096 } = options;
    const limits = {
        linkTtlSeconds,
        concurrency,
        agentStartsPerHour,
        maxQueuedJobs,
        maxQueuedJobsPerDomain,
        keepDays,
        keepJobs,
        keepKeysDays,
    };
    const all = { ...limits, jobTimeoutSeconds, pageTimeoutSeconds, exportMemoryMegabytes, exportDiskMegabytes };
    for (const [name, value] of Object.entries(all)) {
        assertAtLeastOne(name, value);
    }
    return {
        ...limits,
        exportLimits: {
            memoryMegabytes: exportMemoryMegabytes,
            diskMegabytes: exportDiskMegabytes,
            jobTimeoutMs: jobTimeoutSeconds * 1000,
            pageTimeoutMs: pageTimeoutSeconds * 1000,
        },
    };
}

/**
 * If a key were forgotten while its job runs, a repeated start would begin another job.
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
