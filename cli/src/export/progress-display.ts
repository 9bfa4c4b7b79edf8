import { type StaticExportJob } from "@pulumi-static-export/sdk";
import { isInteractive, paint } from "../terminal.js";
import { describePace, JobPace, type Pace } from "./job-pace.js";

/** As much of `process.stderr` as is needed. */
export interface Screen {
    isTTY?: boolean;
    columns?: number;
    write(text: string): unknown;
}

/** Shows how a job goes on. */
export interface ProgressDisplay {
    show(job: StaticExportJob): void;
    /** A line of its own, which stays. */
    note(line: string): void;
    /** Leaves a clean line behind. */
    end(): void;
}

const barLength = 24;
/** Where there is no terminal, a status that stays is repeated after this. */
const lineIntervalMs = 30_000;

/** A bar on one line of a terminal; lines, few of them, elsewhere. */
export function createProgressDisplay(
    screen: Screen,
    env: NodeJS.ProcessEnv,
    nowMs: () => number = Date.now,
): ProgressDisplay {
    return isInteractive(screen, env) ? createBar(screen, env, nowMs) : createLines(screen, nowMs);
}

function createBar(screen: Screen, env: NodeJS.ProcessEnv, nowMs: () => number): ProgressDisplay {
    const pace = new JobPace();
    const clear = "\r\u001b[K";
    let bar = "";
    return {
        show: (job) => {
            const now = pace.next(job, nowMs());
            const rest = `${percentOf(now)} ${job.jobId} ${job.status}${part("  ", describePace(now))}`;
            // A line that is too long would wrap, and then not be cleared.
            const fits = rest.slice(0, Math.max(0, (screen.columns ?? 80) - barLength - 4));
            bar = `[${drawBar(now.percent ?? 0, (done) => paint(done, "cyan", screen, env))}] ${fits}`;
            screen.write(clear + bar);
        },
        note: (line) => screen.write(`${clear}${line}\n${bar}`),
        end: () => {
            screen.write(bar === "" ? "" : clear);
            bar = "";
        },
    };
}

function createLines(screen: Screen, nowMs: () => number): ProgressDisplay {
    const pace = new JobPace();
    let shown = { status: "", atMs: 0 };
    return {
        show: (job) => {
            const atMs = nowMs();
            const now = pace.next(job, atMs);
            if (job.status !== shown.status || atMs - shown.atMs >= lineIntervalMs) {
                shown = { status: job.status, atMs };
                const percent = now.percent === undefined ? "" : `, ${percentOf(now).trim()}`;
                screen.write(`${job.jobId}: ${job.status}${percent}${part(", ", describePace(now))}\n`);
            }
        },
        note: (line) => screen.write(`${line}\n`),
        end: () => undefined,
    };
}

function drawBar(percent: number, color: (done: string) => string): string {
    const done = Math.round((Math.min(100, Math.max(0, percent)) / 100) * barLength);
    return color("#".repeat(done)) + "-".repeat(barLength - done);
}

function percentOf({ percent }: Pace): string {
    return (percent === undefined ? "" : `${Math.round(percent)}%`).padStart(4);
}

function part(before: string, text: string): string {
    return text === "" ? "" : before + text;
}
