/** How often an unchanged line is repeated, so that a long wait does not look like a stuck process. */
const repeatEveryMs = 30_000;

/** The fields of a job that its log lines show. */
interface JobProgress {
    status: string;
    /** Percent. */
    progress?: number;
    pageCount?: number;
}

interface LoggedRun {
    log(line: string): void;
    readonly clock: { now(): number };
}

/**
 * Prints lines about one job. Pulumi does not show which resource a dynamic provider's output belongs to, so each line
 * begins with the domain and the job.
 */
export class JobLog {
    readonly #run: LoggedRun;
    readonly #prefix: string;
    readonly #startedMs: number;
    #last = "";
    #lastMs = 0;

    constructor(domain: string, jobId: string, run: LoggedRun) {
        this.#run = run;
        this.#prefix = `${domain} ${jobId}`;
        this.#startedMs = run.clock.now();
    }

    say(text: string): void {
        this.#run.log(`${this.#prefix}: ${text}`);
    }

    /** Prints the job's status when it changes, and otherwise about every thirty seconds. */
    progress({ status, progress, pageCount }: JobProgress): void {
        const percent = progress === undefined ? undefined : `${Math.floor(progress)} %`;
        const text = [status, percent, describePages(pageCount)].filter((part) => part !== undefined).join(", ");
        const now = this.#run.clock.now();
        if (text !== this.#last || now - this.#lastMs >= repeatEveryMs) {
            this.say(`${text} (${Math.round((now - this.#startedMs) / 1000)} s)`);
            this.#last = text;
            this.#lastMs = now;
        }
    }
}

/** `12 pages`; undefined if the API does not report the number. */
export function describePages(pageCount: number | undefined): string | undefined {
    return pageCount === undefined ? undefined : `${pageCount} ${pageCount === 1 ? "page" : "pages"}`;
}

/** A reason as a part of a sentence: the platform's reasons are sentences themselves. */
export function withoutFullStop(reason: string): string {
    return reason.replace(/\.$/, "");
}
