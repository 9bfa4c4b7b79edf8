/** A line is repeated this often while nothing changes, so that nobody takes a long wait for a hang. */
const repeatEveryMs = 30_000;

/** What lines tell of a job. */
export interface JobProgress {
    status: string;
    /** Percent. */
    progress?: number;
    pageCount?: number;
}

/**
 * Lines about one job. Pulumi shows what a dynamic provider prints without saying which resource it belongs to, so
 * each line begins with the domain and the job.
 */
export class JobLog {
    readonly #print: (line: string) => void;
    readonly #now: () => number;
    readonly #prefix: string;
    readonly #startedMs: number;
    #last = "";
    #lastMs = -Infinity;

    constructor(domain: string, jobId: string, print: (line: string) => void, now: () => number) {
        this.#print = print;
        this.#now = now;
        this.#prefix = `${domain} ${jobId}`;
        this.#startedMs = now();
    }

    say(text: string): void {
        this.#print(`${this.#prefix}: ${text}`);
    }

    /** Prints the job's status when it has changed, or about every thirty seconds. */
    progress({ status, progress, pageCount }: JobProgress): void {
        const percent = progress === undefined ? undefined : `${Math.floor(progress)} %`;
        const text = [status, percent, describePages(pageCount)].filter((part) => part !== undefined).join(", ");
        const now = this.#now();
        if (text !== this.#last || now - this.#lastMs >= repeatEveryMs) {
            this.say(`${text} (${Math.round((now - this.#startedMs) / 1000)} s)`);
            this.#last = text;
            this.#lastMs = now;
        }
    }
}

/** `12 pages`, or undefined where the API does not say. */
export function describePages(pageCount: number | undefined): string | undefined {
    return pageCount === undefined ? undefined : `${pageCount} ${pageCount === 1 ? "page" : "pages"}`;
}
