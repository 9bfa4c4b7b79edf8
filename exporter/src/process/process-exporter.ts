import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import {
    CrashedExportError,
    ExportProcess,
    type ExportLimits,
    KilledExportError,
    ParserPanicError,
} from "./export-process.js";
import { ExportError, type ExportControl, type Exporter, type ExportRequest, type ResultOf } from "./exporter.js";
import { untilAborted } from "./until-aborted.js";

const idleMs = 30_000;

/** The number of pages of a site that may end the parser: each costs one more export. */
const maxPanics = 20;

/** A process is replaced after this many jobs, to free memory that the jobs did not release. */
const maxJobs = 50;

/**
 * Runs the site exporter in separate processes: even if a site crashes its process, the service keeps running and the
 * job fails with a reason. A process starts with a job, is reused for the next ones, and ends after an idle time. An
 * export that something outside has killed, such as the kernel when memory is short, runs once more, alone.
 */
export class ProcessExporter implements Exporter {
    /** All processes, with the number of jobs that each has run. */
    readonly #jobs = new Map<ExportProcess, number>();
    /** Idle processes, each with the timer that ends it. */
    readonly #idle = new Map<ExportProcess, NodeJS.Timeout>();

    readonly #running = new Set<Promise<unknown>>();
    /** The exports that run alone, one after another. */
    #alone: Promise<unknown> = Promise.resolve();

    constructor(private readonly limits: ExportLimits) {}

    async export<R extends ExportRequest>(request: R, control: ExportControl): Promise<ResultOf<R>> {
        for (let alone; alone !== this.#alone;) {
            alone = this.#alone;
            await untilAborted(alone, control.signal);
        }
        const first = this.#runOnCores(request, control);
        this.#running.add(first);
        try {
            return await first;
        } catch (error) {
            if (!(error instanceof KilledExportError) || control.signal.aborted) {
                throw error;
            }
        } finally {
            this.#running.delete(first);
        }
        return this.#runAlone(request, control);
    }

    async #runAlone<R extends ExportRequest>(request: R, control: ExportControl): Promise<ResultOf<R>> {
        const others = this.#alone.then(() => Promise.allSettled(this.#running));
        const second = untilAborted(others, control.signal).then(async () => {
            await emptyOutput(request);
            return this.#run(request, control);
        });
        this.#alone = second.catch(() => undefined);
        try {
            return await second;
        } catch (error) {
            throw error instanceof KilledExportError
                ? new ExportError(
                      `The system or another program killed the export twice (${error.signal}), the second time while no other ` +
                          "export ran: the machine or the container probably has too little memory. The kernel's log " +
                          "says more.",
                  )
                : error;
        }
    }

    /** Repeats an export that has crashed with one thread, which shows the page that causes the crash. */
    async #runOnCores<R extends ExportRequest>(request: R, control: ExportControl): Promise<ResultOf<R>> {
        const { cores = 1 } = this.limits;
        if (cores > 1) {
            try {
                return await this.#run({ ...request, cores }, control);
            } catch (error) {
                if (!(error instanceof CrashedExportError) || control.signal.aborted) {
                    throw error;
                }
            }
            await emptyOutput(request);
        }
        return this.#runPastPanics(request, control);
    }

    /** Repeats an export until each page at which the parser of MDX ends the process is read as Markdown. */
    async #runPastPanics<R extends ExportRequest>(request: R, control: ExportControl): Promise<ResultOf<R>> {
        const markdownPages: string[] = [];
        for (;;) {
            try {
                return await this.#run({ ...request, markdownPages }, control);
            } catch (error) {
                const isKnown = !(error instanceof ParserPanicError) || markdownPages.includes(error.page);
                if (isKnown || error.page === "" || markdownPages.length === maxPanics || control.signal.aborted) {
                    throw error;
                }
                markdownPages.push(error.page);
            }
            await emptyOutput(request);
        }
    }

    async #run<R extends ExportRequest>(request: R, control: ExportControl): Promise<ResultOf<R>> {
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

/** Removes what a killed process has written. */
async function emptyOutput(request: ExportRequest): Promise<void> {
    const folders = [request.workDir, ...("outDir" in request ? [request.outDir as string] : [])];
    for (const folder of folders.filter((each) => existsSync(each))) {
        for (const name of await readdir(folder)) {
            await rm(join(folder, name), { recursive: true, force: true });
        }
    }
}
