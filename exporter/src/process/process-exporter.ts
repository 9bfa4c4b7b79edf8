import { ExportProcess, type ExportLimits } from "./export-process.js";
import { type ExportControl, type Exporter, type ExportRequest, type ResultOf } from "./exporter.js";

const idleMs = 30_000;

/** A process is replaced after this many jobs, to free memory that the jobs did not release. */
const maxJobs = 50;

/**
 * Runs the site exporter in separate processes: even if a site crashes its process, the service keeps running and the
 * job fails with a reason. A process starts with a job, is reused for the next ones, and ends after an idle time.
 */
export class ProcessExporter implements Exporter {
    /** All processes, with the number of jobs that each has run. */
    readonly #jobs = new Map<ExportProcess, number>();
    /** Idle processes, each with the timer that ends it. */
    readonly #idle = new Map<ExportProcess, NodeJS.Timeout>();

    constructor(private readonly limits: ExportLimits) {}

    async export<R extends ExportRequest>(request: R, control: ExportControl): Promise<ResultOf<R>> {
        const process = this.#take();
        const jobs = (this.#jobs.get(process) ?? 0) + 1;
        this.#jobs.set(process, jobs);
        try {
            return await process.run(request, control);
        } finally {
            if (process.alive && jobs < maxJobs && !control.signal.aborted) {
                const timer = setTimeout(() => void this.#end(process), idleMs);
                this.#idle.set(process, timer);
            } else {
                await this.#end(process);
            }
        }
    }

    async close(): Promise<void> {
        await Promise.all([...this.#jobs.keys()].map((process) => this.#end(process)));
    }

    #take(): ExportProcess {
        const process = [...this.#idle.keys()].find(({ alive }) => alive) ?? new ExportProcess(this.limits);
        clearTimeout(this.#idle.get(process));
        this.#idle.delete(process);
        return process;
    }

    async #end(process: ExportProcess): Promise<void> {
        clearTimeout(this.#idle.get(process));
        this.#idle.delete(process);
        this.#jobs.delete(process);
        await process.end();
    }
}
