import { type ServerResponse } from "node:http";
import { type JobSummary } from "../exports/site-job.js";
import { type Caller, maySeeJob } from "../http/protocol/caller.js";

interface LiveJobsOptions {
    unfinished: () => Promise<readonly JobSummary[]>;
    /** The callers of cookies whose sessions have not ended. */
    callersOf: (cookies: readonly string[]) => Promise<ReadonlyMap<string, Caller>>;
    /** How often the pages see progress. @default 2000 */
    lookMs?: number;
}

/** The pages of one session that get events: more than browsers connect for. */
const maxPages = 20;

/**
 * Sends the progress of jobs to open pages. One reading of the jobs and one of the keys serve all of them, and no page
 * costs the database anything.
 */
export class LiveJobs {
    readonly #options: LiveJobsOptions;
    /** The cookies of the pages. */
    readonly #pages = new Map<ServerResponse, string>();
    #timer: NodeJS.Timeout | undefined;
    #isLooking = false;

    constructor(options: LiveJobsOptions) {
        this.#options = options;
    }

    /** Whether a session may open another page with events. */
    hasRoom(cookie: string): boolean {
        return [...this.#pages.values()].filter((each) => each === cookie).length < maxPages;
    }

    /** Sends events until the page is closed, or its session has ended. */
    add(page: ServerResponse, cookie: string): void {
        this.#pages.set(page, cookie);
        page.once("close", () => {
            this.#pages.delete(page);
            if (this.#pages.size === 0) {
                clearInterval(this.#timer);
                this.#timer = undefined;
            }
        });
        this.#timer ??= setInterval(() => void this.#look(), this.#options.lookMs ?? 2000);
        void this.#look();
    }

    close(): void {
        clearInterval(this.#timer);
        [...this.#pages.keys()].forEach((page) => page.end());
    }

    async #look(): Promise<void> {
        if (this.#isLooking) {
            return;
        }
        this.#isLooking = true;
        try {
            const cookies = [...new Set(this.#pages.values())];
            const [jobs, callers] = await Promise.all([this.#options.unfinished(), this.#options.callersOf(cookies)]);
            for (const [page, cookie] of this.#pages) {
                const viewer = callers.get(cookie);
                if (viewer !== undefined) {
                    const seen = jobs.filter((job) => maySeeJob(viewer, job));
                    send(page, "jobs", seen.map(progressOf));
                } else if (cookies.includes(cookie)) {
                    send(page, "ended", {});
                    page.end();
                }
            }
        } catch {
            for (const page of this.#pages.keys()) {
                send(page, "away", {});
            }
        } finally {
            this.#isLooking = false;
        }
    }
}

/** Skips a page that has not read the previous event: each event says everything, so that none must wait in memory. */
function send(page: ServerResponse, event: string, data: unknown): void {
    if (!page.writableNeedDrain) {
        page.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    }
}

function progressOf({ jobId, status, progress, pageCount }: JobSummary) {
    return { jobId, status, progress, pageCount };
}
