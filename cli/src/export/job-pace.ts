import { type StaticExportJob } from "@pulumi-static-export/sdk";

/** What is known about a job at one poll. */
export interface Pace {
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
export type ProgressOfJob = Pick<StaticExportJob, "status" | "progress" | "pageCount">;

/** Follows one job: its rate since it was first seen running, and how long the rest takes at that rate. */
export class JobPace {
    #first: Sample | undefined;

    next({ status, progress, pageCount: pages }: ProgressOfJob, atMs: number): Pace {
        // Time in the queue says nothing about the rate.
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
export function describePace({ pages, pagesPerSecond, secondsLeft }: Pace): string {
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
