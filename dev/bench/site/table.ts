import { median } from "../median.js";
import { type Usage } from "./measured-process.js";
import { type PartTimes, simulateCores, totalOf } from "./part-times.js";

export interface Row {
    readonly what: string;
    /** One per round. */
    readonly usages: readonly Usage[];
    /** The baseline of the ratios, from the same rounds. */
    readonly comparedTo: readonly Usage[];
}

/**
 * Formats the table. A ratio is the median of the rounds' ratios, because the machine is equally busy for all builders
 * of a round.
 */
export function formatTable(rows: readonly Row[]): string {
    const head = ["what", "wall, median (min – max)", "ratio", "CPU, median", "ratio", "cores used", "peak memory"];
    const lines = rows.map(({ what, usages, comparedTo }) => {
        const wall = usages.map((usage) => usage.wallSeconds);
        const cpu = usages.map((usage) => usage.cpuSeconds);
        return [
            what,
            `${seconds(median(wall))} (${seconds(Math.min(...wall))} – ${seconds(Math.max(...wall))})`,
            ratio(
                wall,
                comparedTo.map((usage) => usage.wallSeconds),
            ),
            seconds(median(cpu)),
            ratio(
                cpu,
                comparedTo.map((usage) => usage.cpuSeconds),
            ),
            median(usages.map(({ cpuSeconds, wallSeconds }) => cpuSeconds / wallSeconds)).toFixed(2),
            `${Math.max(...usages.map((usage) => usage.peakMegabytes)).toFixed(0)} MB`,
        ];
    });
    return formatLines(head, lines);
}

function formatLines(head: readonly string[], lines: readonly (readonly string[])[]): string {
    return [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Formats the CPU times of the parts of exports with one thread and with two workers. */
export function formatParts(exports: readonly PartTimes[]): string {
    const head = ["cores", "main before pages", "main meanwhile", "main after pages", "workers", "V8 and libuv", "all"];
    const lines = exports.map((times, index) => {
        const { before, meanwhile, after, workers, others } = times;
        return [`${index + 1}`, ...[before, meanwhile, after, workers, others, totalOf(times)].map(seconds)];
    });
    return formatLines(head, lines);
}

/** Formats the simulated times on 1 to 8 idle cores. */
export function formatCurve(one: PartTimes, two: PartTimes): string {
    const lines = [1, 2, 4, 8].map((cores) => {
        const { seconds: wall, limit } = simulateCores(one, two, cores);
        return [`${cores}`, seconds(wall), (totalOf(one) / wall).toFixed(2), limit];
    });
    return formatLines(["cores", "wall, simulated", "times as fast as one core", "limited by"], lines);
}

function ratio(values: readonly number[], to: readonly number[]): string {
    return median(values.map((value, round) => value / (to[round] ?? NaN))).toFixed(2);
}

function seconds(value: number): string {
    return `${value.toFixed(2)} s`;
}
