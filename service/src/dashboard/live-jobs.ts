import { type ServerResponse } from "node:http";
import { type JobSummary } from "../history/job-history.js";
import { type Caller, maySee } from "../http/protocol/caller.js";

/** How often the pages see progress. */
const lookMs = 2000;

/**
 * Sends the progress of jobs to open pages. One reading of the database serves all of them, and no page costs the
 * database anything.
 */
export class LiveJobs {
    readonly #unfinished: () => Promise<readonly JobSummary[]>;
    readonly #pages = new Map<ServerResponse, Caller>();
    #timer: NodeJS.Timeout | undefined;
    #isLooking = false;

    constructor(unfinished: () => Promise<readonly JobSummary[]>) {
        this.#unfinished = unfinished;
    }

    /** Sends events until the page is closed. */
    add(page: ServerResponse, caller: Caller): void {
        this.#pages.set(page, caller);
        page.once("close", () => {
            this.#pages.delete(page);
            if (this.#pages.size === 0) {
                clearInterval(this.#timer);
                this.#timer = undefined;
            }
        });
        this.#timer ??= setInterval(() => void this.#look(), lookMs);
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
            const jobs = await this.#unfinished();
            for (const [page, caller] of this.#pages) {
                const seen = jobs.filter(({ previewOf, domain }) => maySee(caller, previewOf ?? domain));
                page.write(`event: jobs\ndata: ${JSON.stringify(seen.map(progressOf))}\n\n`);
            }
        } catch {
            for (const page of this.#pages.keys()) {
                page.write("event: away\ndata: {}\n\n");
            }
        } finally {
            this.#isLooking = false;
        }
    }
}

function progressOf({ jobId, status, progress, pageCount }: JobSummary) {
    return { jobId, status, progress, pageCount };
}
