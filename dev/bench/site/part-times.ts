import { readdirSync, readFileSync } from "node:fs";

/** The CPU time of the parts of an export, in seconds. */
export interface PartTimes {
    /** The main thread until the first page is written, such as reading and planning. */
    readonly before: number;
    /** The main thread while pages are written, such as rendering without workers, and the archive. */
    readonly meanwhile: number;
    /** The main thread after the last page, such as the index of the search. */
    readonly after: number;
    /** The workers together, with their start. */
    readonly workers: number;
    /** The threads of V8 and of libuv, such as compilers, garbage collection and compression. */
    readonly others: number;
}

/** Records the CPU time of the parts of an export (Linux). */
export class PartClock {
    /** The CPU time of each thread, by its number; worker threads end before the export. */
    readonly #threads = new Map<string, { readonly isWorker: boolean; readonly seconds: number }>();
    #before: number | undefined;
    #written = 0;

    constructor(private readonly processId: number) {}

    /** Call this with each report of progress, the first of which comes before the first page. */
    onProgress(): void {
        this.#look();
        this.#written = this.#main;
        this.#before ??= this.#written;
    }

    times(): PartTimes {
        this.#look();
        const before = this.#before ?? 0;
        const all = [...this.#threads];
        const sum = (areWorkers: boolean) =>
            all.reduce((total, [thread, { isWorker, seconds }]) => {
                return isWorker === areWorkers && thread !== `${this.processId}` ? total + seconds : total;
            }, 0);
        const ofMain = { before, meanwhile: this.#written - before, after: this.#main - this.#written };
        return { ...ofMain, workers: sum(true), others: sum(false) };
    }

    get #main(): number {
        return this.#threads.get(`${this.processId}`)?.seconds ?? 0;
    }

    #look(): void {
        const folder = `/proc/${this.processId}/task`;
        for (const thread of readdirSync(folder)) {
            const [, name, rest = ""] = /\((.*)\) (.*)/.exec(readFileSync(`${folder}/${thread}/stat`, "utf8")) ?? [];
            const [user, system] = rest.split(" ").slice(11, 13).map(Number);
            const seconds = ((user ?? 0) + (system ?? 0)) / 100;
            this.#threads.set(thread, { isWorker: name === "WorkerThread", seconds });
        }
    }
}

/**
 * Computes the time of an export on idle cores, with a worker for each core, from the recorded times.
 * @param one the times with one thread
 * @param two the times with two workers, whose further cost is that of their start
 */
export function simulateCores(one: PartTimes, two: PartTimes, cores: number) {
    if (cores === 1) {
        return { seconds: totalOf(one), limit: "the core" };
    }
    const start = Math.max(0, (totalOf(two) - totalOf(one)) / 2);
    const rendering = two.workers - 2 * start;
    const limits: readonly [seconds: number, limit: string][] = [
        [(rendering + cores * start + two.meanwhile + two.others) / cores, "the cores"],
        [rendering / cores + start, "the workers"],
        [two.meanwhile, "the main thread"],
    ];
    const [[parallel, limit] = [0, ""]] = [...limits].sort(([one], [other]) => other - one);
    return { seconds: two.before + parallel + two.after, limit };
}

export function totalOf({ before, meanwhile, after, workers, others }: PartTimes): number {
    return before + meanwhile + after + workers + others;
}
