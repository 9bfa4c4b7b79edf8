import { median } from "../median.js";
import { type Usage } from "./measured-process.js";

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
    return [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function ratio(values: readonly number[], to: readonly number[]): string {
    return median(values.map((value, round) => value / (to[round] ?? NaN))).toFixed(2);
}

function seconds(value: number): string {
    return `${value.toFixed(2)} s`;
}
