import { boundedCount } from "../shared/bounded-count.js";

export interface Progress {
    /** Percent, 0 to 100. */
    progress: number;
    pageCount: number;
}

interface LiveValue extends Progress {
    attempt: number;
    /** Milliseconds since 1970. */
    updatedAt: number;
}

/** Progress of the jobs in this process, which is newer than the progress at their last tick. */
export class LiveProgress {
    readonly #values = new Map<string, LiveValue>();
    readonly #clock: () => number;

    constructor(clock: () => number) {
        this.#clock = clock;
    }

    /** Builders and exporters may report any numbers. */
    set(jobId: string, attempt: number, reported: Progress): void {
        this.#values.set(jobId, {
            progress: boundedCount(reported.progress, 100),
            pageCount: boundedCount(reported.pageCount),
            attempt,
            updatedAt: this.#clock(),
        });
    }

    of(jobId: string, attempt: number): LiveValue | undefined {
        const value = this.#values.get(jobId);
        return value?.attempt === attempt ? value : undefined;
    }

    delete(jobId: string, attempt: number): void {
        if (this.of(jobId, attempt) !== undefined) {
            this.#values.delete(jobId);
        }
    }
}
