import { isInteractive, paint } from "../command-line/terminal.js";
import { type PlatformExportJob } from "@pulumi-static-export/sdk";

/** The part of `process.stderr` that this file uses. */
interface Screen {
    isTTY?: boolean;
    columns?: number;
    write(text: string): unknown;
}

/** Shows the progress of a job or of a local export. */
export interface ProgressDisplay {
    /** @param name - the export's name: its job's id */
    show(name: string, job: ProgressOfJob): void;
    /** Prints a permanent line. */
    note(line: string): void;
    /** Clears the progress line. */
    end(): void;
}

interface ProgressSettings {
    readonly nowMs?: () => number;
    /** Without a terminal, nothing is shown before this time has passed. @default 0 */
    readonly firstLineMs?: number;
}

const barLength = 24;
/** Without a terminal, an unchanged status is repeated at this interval. */
const lineIntervalMs = 30_000;

/** Shows a progress bar on a terminal, and prints a few lines elsewhere. */
export function createProgressDisplay(
    screen: Screen,
    env: NodeJS.ProcessEnv,
    { nowMs = Date.now, firstLineMs = 0 }: ProgressSettings = {},
): ProgressDisplay {
    return isInteractive(screen, env) ? createBar(screen, env, nowMs) : createLines(screen, nowMs, firstLineMs);
}

function createBar(screen: Screen, env: NodeJS.ProcessEnv, nowMs: () => number): ProgressDisplay {
    const pace = new JobPace();
    const clear = "\r\u001b[K";
    let bar = "";
    return {
        show: (name, job) => {
            const now = pace.next(job, nowMs());
            const rest = `${percentOf(now)} ${name} ${job.status}${part("  ", describePace(now))}`;
            // A longer line would wrap, and could not be cleared.
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

function createLines(screen: Screen, nowMs: () => number, firstLineMs: number): ProgressDisplay {
    const pace = new JobPace();
    const startedMs = nowMs();
    let shown = { status: "", atMs: 0 };
    return {
        show: (name, job) => {
            const atMs = nowMs();
            const now = pace.next(job, atMs);
            if (atMs - startedMs < firstLineMs) {
                return;
            }
            if (job.status !== shown.status || atMs - shown.atMs >= lineIntervalMs) {
                shown = { status: job.status, atMs };
                const percent = now.percent === undefined ? "" : `, ${percentOf(now).trim()}`;
                screen.write(`${name}: ${job.status}${percent}${part(", ", describePace(now))}\n`);
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

/** The known facts about a job at one poll. */
interface Pace {
    /** Percent, if the job reports it. */
    percent: number | undefined;
    pages: number | undefined;
    pagesPerSecond: number | undefined;
    secondsLeft: number | undefined;
}

interface Sample {
    atMs: number;
    progress: number | undefined;
    pages: number | undefined;
}

/** The fields of a job that show its progress. */
type ProgressOfJob = Pick<PlatformExportJob, "status" | "progress" | "pageCount">;

/** Computes a job's rate since it was first seen running, and the remaining time at that rate. */
class JobPace {
    #first: Sample | undefined;

    next({ status, progress, pageCount: pages }: ProgressOfJob, atMs: number): Pace {
        // Time in the queue is excluded from the rate.
        if (status === "running") {
            this.#first ??= { atMs, progress, pages };
        }
        const seconds = this.#first === undefined ? 0 : (atMs - this.#first.atMs) / 1000;
        const perSecond = (now: number | undefined, before: number | undefined) =>
            seconds > 0 && now !== undefined && now > (before ?? 0) ? (now - (before ?? 0)) / seconds : undefined;
        const percentPerSecond = perSecond(progress, this.#first?.progress);
        const isKnown = progress !== undefined && progress < 100 && percentPerSecond !== undefined;
        return {
            percent: progress,
            pages,
            pagesPerSecond: perSecond(pages, this.#first?.pages),
            secondsLeft: isKnown ? (100 - progress) / percentPerSecond : undefined,
        };
    }
}

/** `312 pages, 35/s, 12 s left`, without the unknown parts. */
function describePace({ pages, pagesPerSecond, secondsLeft }: Pace): string {
    return [
        pages !== undefined && `${pages} ${pages === 1 ? "page" : "pages"}`,
        pagesPerSecond !== undefined &&
            `${pagesPerSecond < 10 ? pagesPerSecond.toFixed(1) : Math.round(pagesPerSecond)}/s`,
        secondsLeft !== undefined && `${describeSeconds(secondsLeft)} left`,
    ]
        .filter(Boolean)
        .join(", ");
}

function describeSeconds(seconds: number): string {
    const whole = Math.ceil(seconds);
    return whole < 120 ? `${whole} s` : `${Math.ceil(whole / 60)} min`;
}
