import { type ExportLimits } from "@pulumi-static-export/exporter";
import { dayMs } from "../shared/day-ms.js";
import { availableParallelism } from "node:os";
import { ServiceOptionsError } from "../shared/service-options-error.js";

/** The commands with a flag for an option, and its help. */
interface Flag {
    readonly help: string;
    readonly commands: readonly ("serve" | "work")[];
}

interface Limit {
    /** Undefined if it depends on the machine, as the help says. */
    readonly default?: number;
    /** Undefined for an option that only programs set. */
    readonly flag?: Flag;
}

const always = ["serve", "work"] as const;

/** The numeric options, each a whole number of at least 1. Flags and their help are read from this table. */
export const limitTable = {
    /** How many export jobs run at the same time, over all domains; at most one per domain. */
    concurrency: { default: 2, flag: { help: "jobs that run at once in this process", commands: ["work"] } },
    linkTtlSeconds: { default: 3600, flag: { help: "how long a bundle link works", commands: always } },
    jobTimeoutSeconds: { default: 900, flag: { help: "time limit of one export job", commands: always } },
    /** Time limit of one page. */
    pageTimeoutSeconds: { default: 30 },
    /** The process may use half a gigabyte more. */
    exportMemoryMegabytes: {
        default: 1024,
        flag: { help: "memory of the heap of one export process", commands: always },
    },
    exportCores: {
        flag: {
            help: "cores that one export uses (default: all cores, divided by the number of exports at the same time)",
            commands: always,
        },
    },
    exportDiskMegabytes: {
        default: 4096,
        flag: { help: "disk for the output of one export and the cache of its site", commands: always },
    },
    /** The next exports of sites whose caches were removed render every page again. */
    cacheDiskMegabytes: {
        default: 2048,
        flag: {
            help: "disk for the caches of all sites, beyond which the least used are removed",
            commands: always,
        },
    },
    /** How many agent jobs and messages one project may create per hour. */
    agentStartsPerHour: { default: 100 },
    maxQueuedJobs: {
        default: 500,
        flag: { help: "jobs that may be queued before starts get 429", commands: ["serve"] },
    },
    maxQueuedJobsPerDomain: { default: 50 },
    keepDays: {
        default: 90,
        flag: { help: "remove finished jobs and bundles that were unused for this long", commands: always },
    },
    keepJobs: { default: 200, flag: { help: "number of finished jobs to keep for each domain", commands: always } },
    keepKeysDays: {
        default: 7,
        flag: { help: "repeated starts find their job by its Idempotency-Key for this long", commands: ["serve"] },
    },
} as const satisfies Record<string, Limit>;

type LimitName = keyof typeof limitTable;

export type LimitOptions = { readonly [Name in LimitName]?: number | undefined };

export interface ServiceLimits extends Record<Exclude<LimitName, "exportCores">, number> {
    exportLimits: ExportLimits;
}

/** @throws ServiceOptionsError for an option that is not a whole number of at least 1 */
export function resolveLimits(options: LimitOptions): ServiceLimits {
    const limits: Record<string, number> = {};
    for (const [name, { default: usual }] of Object.entries<Limit>(limitTable)) {
        // The exports of a process share its cores.
        const value =
            options[name as LimitName] ??
            usual ??
            Math.max(1, Math.floor(availableParallelism() / (limits["concurrency"] ?? 1)));
        assertAtLeastOne(name, value);
        limits[name] = value;
    }
    const { exportCores, ...others } = limits as Record<LimitName, number>;
    return {
        ...others,
        exportLimits: {
            cores: exportCores,
            memoryMegabytes: others.exportMemoryMegabytes,
            diskMegabytes: others.exportDiskMegabytes,
            jobTimeoutMs: others.jobTimeoutSeconds * 1000,
            pageTimeoutMs: others.pageTimeoutSeconds * 1000,
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
