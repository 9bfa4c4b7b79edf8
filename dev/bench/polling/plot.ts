import { type Comparison, maxMs, shortestMs } from "./measure.js";
import { quantile } from "./summary.js";
import { type Outcome } from "./simulate.js";
import { type Family } from "./traces.js";

const panel = { width: 300, noticeHeight: 170, requestHeight: 80, left: 52, top: 34, gap: 18, right: 14, bottom: 34 };
const columns = 4;
const steps = 24;
const colors = { adaptive: "#0b6bcb", fixed: "#c4570b", grid: "#e3e3e3", allowed: "#2e7d32", ink: "#333333" };

const cellWidth = panel.left + panel.width + panel.right;
const cellHeight = panel.top + panel.noticeHeight + panel.gap + panel.requestHeight + panel.bottom;

type Scale = (value: number) => number;

function logScale(from: number, to: number, low: number, high: number): Scale {
    return (value) => {
        const share = Math.log(value / from) / Math.log(to / from);
        return low + (high - low) * Math.min(1, Math.max(0, share));
    };
}

/**
 * Plots the time until a poller notices a job's end (median and p95), and the number of requests, against the job's
 * length. The result is a standalone SVG with one panel per family.
 */
export function drawPlot(results: ReadonlyMap<Family, readonly Comparison[]>): string {
    const rows = Math.ceil(results.size / columns);
    const [width, height] = [columns * cellWidth, rows * cellHeight + 40];
    const panels = [...results].map(([family, jobs], index) => {
        const [x, y] = [(index % columns) * cellWidth, 40 + Math.floor(index / columns) * cellHeight];
        return `<g transform="translate(${x} ${y})">${drawPanel(family, jobs)}</g>`;
    });
    return `${[
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`,
        ` font-family="system-ui, sans-serif" font-size="11" fill="${colors.ink}">`,
        `<rect width="100%" height="100%" fill="#ffffff"/>`,
        `<text x="${panel.left}" y="24" font-size="14">From the end of a job to its notice, and requests,`,
        ` by length of the job: <tspan fill="${colors.adaptive}">adaptive</tspan> and`,
        ` <tspan fill="${colors.fixed}">every 10 s</tspan>; solid median, dashed 95th percentile,`,
        ` <tspan fill="${colors.allowed}">dotted what is allowed</tspan></text>`,
        ...panels,
        `</svg>`,
    ].join("\n")}\n`;
}

function drawPanel(family: Family, jobs: readonly Comparison[]): string {
    const x = logScale(shortestMs, maxMs, panel.left, panel.left + panel.width);
    const notice = logScale(50, 400_000, panel.top + panel.noticeHeight, panel.top);
    const requestTop = panel.top + panel.noticeHeight + panel.gap;
    const ratio = logScale(0.25, 4, requestTop + panel.requestHeight, requestTop);
    const groups = Array.from({ length: steps }, (_, step) =>
        jobs.slice((step * jobs.length) / steps, ((step + 1) * jobs.length) / steps),
    );
    const path = (y: Scale, value: (group: readonly Comparison[]) => number) =>
        groups
            .map((group, index) => {
                const middleMs = group[group.length >> 1]?.lengthMs ?? shortestMs;
                return `${index === 0 ? "M" : "L"}${x(middleMs).toFixed(1)} ${y(value(group)).toFixed(1)}`;
            })
            .join("");
    const stroke = (d: string, color: string, dash?: string) =>
        `<path d="${d}" fill="none" stroke="${color}" stroke-width="1.6"${dash ? ` stroke-dasharray="${dash}"` : ""}/>`;
    const noticeOf = (poller: "adaptive" | "fixed", share: number) => (group: readonly Comparison[]) =>
        quantile(
            group.map((job) => job[poller].noticeMs),
            share,
        );
    const meanRequests = (outcomes: readonly Outcome[]) =>
        outcomes.reduce((sum, { requests }) => sum + requests, 0) / outcomes.length;
    const requestRatio = (group: readonly Comparison[]) =>
        meanRequests(group.map(({ adaptive }) => adaptive)) / meanRequests(group.map(({ fixed }) => fixed));
    const allowed = (minMs: number, share: number) =>
        path(notice, (group) => Math.max(minMs, share * (group[group.length >> 1]?.lengthMs ?? 0)));
    const isPredictable = family === "steady" || family === "front-loaded";
    return [
        `<text x="${panel.left}" y="${panel.top - 10}" font-size="13" font-weight="600">${family}</text>`,
        ...[100, 1_000, 10_000, 100_000].map((ms) => gridLine(notice(ms), `${ms / 1000} s`)),
        ...[0.5, 1, 2].map((value) => gridLine(ratio(value), `× ${value}`)),
        ...(
            [
                [2_000, "2 s"],
                [10_000, "10 s"],
                [60_000, "1 min"],
                [600_000, "10 min"],
                [maxMs, "2 h"],
            ] as const
        ).map(
            ([ms, label]) =>
                `<text x="${x(ms)}" y="${requestTop + panel.requestHeight + 16}" text-anchor="middle">${label}</text>`,
        ),
        stroke(path(notice, noticeOf("fixed", 0.5)), colors.fixed),
        stroke(path(notice, noticeOf("fixed", 0.95)), colors.fixed, "5 3"),
        ...(isPredictable
            ? [stroke(allowed(500, 0.02), colors.allowed, "1 3"), stroke(allowed(2_000, 0.05), colors.allowed, "1 3")]
            : []),
        stroke(path(notice, noticeOf("adaptive", 0.5)), colors.adaptive),
        stroke(path(notice, noticeOf("adaptive", 0.95)), colors.adaptive, "5 3"),
        stroke(
            path(ratio, () => 1),
            colors.fixed,
        ),
        stroke(path(ratio, requestRatio), colors.adaptive),
    ].join("\n");
}

function gridLine(y: number, label: string): string {
    return (
        `<line x1="${panel.left}" x2="${panel.left + panel.width}" y1="${y}" y2="${y}" stroke="${colors.grid}"/>` +
        `<text x="${panel.left - 6}" y="${y + 4}" text-anchor="end">${label}</text>`
    );
}
