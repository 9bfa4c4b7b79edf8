import { type ExportLimits } from "@pulumi-static-export/exporter";
import { dayMs } from "../shared/day-ms.js";
import { availableParallelism } from "node:os";
import { limitTable, type LimitOptions } from "../options/option-table.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";

type LimitName = keyof typeof limitTable;

export interface ServiceLimits extends Record<Exclude<LimitName, "exportCores">, number> {
    exportLimits: ExportLimits;
}

/** @throws ServiceOptionsError for an option that is not a whole number of at least 1 */
export function resolveLimits(options: LimitOptions): ServiceLimits {
    const limits: Record<string, number> = {};
    for (const [name, spec] of Object.entries(limitTable)) {
        // The exports of a process share its cores.
        const value =
            options[name as LimitName] ??
            ("default" in spec ? spec.default : undefined) ??
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
 * How long repeated starts find their job by its `Idempotency-Key`: a week, or a day longer than a job may run.
 * Otherwise, a repeated start could begin another job.
 */
export function ageOfKeysMs({ exportLimits }: ServiceLimits, agentLimitMs: number): number {
    return Math.max(7 * dayMs, Math.max(exportLimits.jobTimeoutMs, agentLimitMs) + dayMs);
}

/** @throws ServiceOptionsError */
function assertAtLeastOne(name: string, value: number): void {
    if (!Number.isSafeInteger(value) || value < 1) {
        throw new ServiceOptionsError(`${name} must be a whole number of at least 1, got ${value}.`);
    }
}
