import { brokenBounds, percent } from "./bounds.js";
import { type Summary } from "./summary.js";

const headings = [
    "family",
    "length",
    "jobs",
    "median (10 s)",
    "p95 (10 s)",
    "of allowed",
    "requests (10 s)",
    "ratio",
    "extra p95, most",
    "bounds",
];

/**
 * Formats one row per summary, as a Markdown table with aligned columns; figures of the fixed poller are in brackets.
 */
export function formatTable(rows: readonly { summary: Summary; tolerance: number }[]): string {
    const cells = rows.map(({ summary, tolerance }) => {
        const { adaptive, fixed } = summary;
        const isPredictable = summary.family === "steady" || summary.family === "front-loaded";
        return [
            summary.family,
            summary.bucket,
            String(summary.jobs),
            `${seconds(adaptive.medianMs)} (${seconds(fixed.medianMs)})`,
            `${seconds(adaptive.p95Ms)} (${seconds(fixed.p95Ms)})`,
            isPredictable ? `${percent(summary.medianOfAllowed)}, ${percent(summary.p95OfAllowed)}` : "–",
            `${adaptive.meanRequests.toFixed(1)} (${fixed.meanRequests.toFixed(1)})`,
            (adaptive.meanRequests / fixed.meanRequests).toFixed(2),
            `${summary.extraRequests.p95}, ${summary.extraRequests.max}`,
            brokenBounds(summary, tolerance).length === 0 ? "hold" : "BROKEN",
        ];
    });
    const widths = headings.map((heading, column) =>
        Math.max(heading.length, ...cells.map((row) => (row[column] ?? "").length)),
    );
    const line = (row: readonly string[]) =>
        `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
    const rule = widths.map((width) => "-".repeat(width));
    return [line(headings), line(rule), ...cells.map(line)].join("\n");
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
