import { setImmediate, setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { packageFolder } from "../../text/package-folder.js";
import {
    type EndOfSite,
    type GroupAnswer,
    type GroupRequest,
    type MessageToWorker,
    type PageWorkerData,
    type SiteOfWorker,
} from "./page-worker-message.js";

/** Contains the code of workers, too, because workers need nearly the same code as an export process. */
const program = new URL("dist/bundled/export-process-main.mjs", packageFolder);

/**
 * The limits of a worker. The stack is as deep as that of the main thread, in which V8 uses 984 kB; Node.js reserves
 * another 192 kB of a worker's stack for its own code.
 */
const resourceLimits = { maxOldGenerationSizeMb: 256, stackSizeMb: (984 + 192) / 1024 };

const watchIntervalMs = 100;

/** The time for a worker to end; a worker ends at once, unless it is in code that is not JavaScript. */
const maxEndMs = 2000;

/** The time after which a worker that is still busy with the same page ends; most pages take a few milliseconds. */
const maxPageMs = 5000;

/** The number of pages after which a worker ends with its export. */
const maxPagesOfAWorker = 20_000;

/** Thrown if a thread cannot be ended. A new process must export the site again, without other threads. */
export class StuckWorkerError extends Error {
    override readonly name = "StuckWorkerError";
}

/**
 * Threads that write groups of pages. This is not a general pool, because a pool from a library starts another worker
 * in place of one that failed, and cannot tell which page a worker is busy with.
 */
export class PageWorkers {
    readonly #workers: PageWorker[] = [];
    #watch: NodeJS.Timeout | undefined;

    /**
     * @param cores the maximum number of threads
     * @param idle the threads of earlier exports; without it, all threads end with the export
     */
    constructor(
        readonly cores: number,
        private readonly idle?: IdleWorkers,
    ) {}

    /** Takes idle threads, and starts others, which load their code until `begin`. */
    start(count: number): void {
        while (this.#workers.length < count) {
            this.#workers.push(this.idle?.take() ?? new PageWorker());
        }
    }

    /** @param yieldToEventLoop throws if the export was aborted */
    begin(count: number, site: SiteOfWorker, yieldToEventLoop: () => Promise<void>): void {
        this.start(count);
        this.#workers.forEach((worker, index) => (index < count ? worker.begin(site) : worker.end()));
        const look = async (): Promise<void> => {
            await yieldToEventLoop();
            // This thread may have been busy, so answers may wait for it.
            await setImmediate();
            this.#workers.forEach((worker) => worker.endIfStuck());
        };
        this.#watch = setInterval(() => {
            look().catch((error: unknown) => this.#workers.forEach((worker) => worker.fail(error)));
        }, watchIntervalMs);
    }

    /** The number of workers that have not failed. */
    get alive(): number {
        return this.#workers.filter(({ isAlive }) => isAlive).length;
    }

    /** The number of groups that workers should have at a time, so that none of them waits. */
    get room(): number {
        return 3 * this.alive;
    }

    /**
     * Writes a group in the worker that has the fewest groups.
     * @returns undefined if the worker failed or has ended
     */
    write(request: GroupRequest): Promise<GroupAnswer> {
        const alive = this.#workers.filter(({ isAlive }) => isAlive);
        const [least] = alive.sort((one, other) => one.waiting - other.waiting);
        return least?.write(request) ?? Promise.resolve(undefined);
    }

    /** Waits until the workers that failed use no more CPU time. @throws StuckWorkerError */
    async settle(): Promise<void> {
        await Promise.all(this.#workers.filter(({ isAlive }) => !isAlive).map((worker) => worker.ended()));
    }

    /** Leaves threads that wait for pages to the next export, and ends the others. @throws StuckWorkerError */
    async close(): Promise<void> {
        clearInterval(this.#watch);
        const workers = this.#workers.splice(0);
        await Promise.all(
            workers.map(async (worker) => {
                if (this.idle === undefined || !(await worker.endSite())) {
                    worker.end();
                    await worker.ended();
                    return;
                }
                this.idle.add(worker);
            }),
        );
    }
}

/**
 * The threads that wait for the next export of a process. Their code is compiled, so they take three quarters of the
 * CPU time of new threads. They do not keep the process from ending.
 */
export class IdleWorkers {
    readonly #workers: PageWorker[] = [];

    take(): PageWorker | undefined {
        for (let worker = this.#workers.pop(); worker !== undefined; worker = this.#workers.pop()) {
            if (worker.isAlive) {
                worker.keepProcess(true);
                return worker;
            }
        }
        return undefined;
    }

    add(worker: PageWorker): void {
        worker.keepProcess(false);
        this.#workers.push(worker);
    }
}

class PageWorker {
    readonly #thread: Worker;
    readonly #begun = new Int32Array(new SharedArrayBuffer(4));
    readonly #waiting: PromiseWithResolvers<GroupAnswer>[] = [];
    #isAlive = true;
    #exited: Promise<unknown> | undefined;
    #seen = { begun: 0, sinceMs: performance.now() };
    /** The number of pages of earlier sites. */
    #pages = 0;

    constructor() {
        const workerData: PageWorkerData = { begun: this.#begun };
        this.#thread = new Worker(program, { workerData, resourceLimits });
        this.#thread.on("message", (answer: GroupAnswer) => this.#waiting.shift()?.resolve(answer));
        const onEnd = (): void => this.end();
        // An error, such as too little memory, is followed by the end of the thread.
        this.#thread.on("error", onEnd).on("exit", onEnd);
    }

    begin(site: SiteOfWorker): void {
        this.#post(site);
    }

    /** Whether the worker waits for another site: not after a failure, nor after many pages, whose memory it may keep. */
    async endSite(): Promise<boolean> {
        this.#pages += Atomics.exchange(this.#begun, 0, 0);
        if (!this.#isAlive || this.#waiting.length > 0 || this.#pages > maxPagesOfAWorker) {
            return false;
        }
        const late = new AbortController();
        await Promise.race([this.#ask("end of site"), setTimeout(maxEndMs, undefined, { signal: late.signal })]);
        late.abort();
        return this.#isAlive && this.#waiting.length === 0;
    }

    /** @param isKept whether the thread keeps the process from ending */
    keepProcess(isKept: boolean): void {
        this.#thread[isKept ? "ref" : "unref"]();
    }

    get isAlive(): boolean {
        return this.#isAlive;
    }

    get waiting(): number {
        return this.#waiting.length;
    }

    write(request: GroupRequest): Promise<GroupAnswer> {
        if (this.#waiting.length === 0) {
            this.#seen = { ...this.#seen, sinceMs: performance.now() };
        }
        return this.#ask(request);
    }

    #ask(message: GroupRequest | EndOfSite): Promise<GroupAnswer> {
        const answer = Promise.withResolvers<GroupAnswer>();
        this.#waiting.push(answer);
        this.#post(message);
        return answer.promise;
    }

    #post(message: MessageToWorker): void {
        this.#thread.postMessage(message);
    }

    /** Ends the thread if it has been busy with the same page for too long. The first page includes the start. */
    endIfStuck(): void {
        const begun = Atomics.load(this.#begun, 0);
        const nowMs = performance.now();
        if (begun !== this.#seen.begun) {
            this.#seen = { begun, sinceMs: nowMs };
        } else if (begun > 0 && this.#waiting.length > 0 && nowMs - this.#seen.sinceMs > maxPageMs) {
            this.end();
        }
    }

    /** Ends the thread, which may still be busy. @param error the reason why groups get no answer */
    fail(error: unknown): void {
        this.#waiting.splice(0).forEach(({ reject }) => reject(error));
        this.end();
    }

    end(): void {
        this.#resolveAll();
        this.#exited ??= this.#thread.terminate();
    }

    /** @throws StuckWorkerError */
    async ended(): Promise<void> {
        const timer = new AbortController();
        const late = setTimeout(maxEndMs, "late", { signal: timer.signal }).catch(() => undefined);
        if ((await Promise.race([this.#exited, late])) === "late") {
            throw new StuckWorkerError("a thread that renders pages does not end");
        }
        timer.abort();
    }

    #resolveAll(): void {
        this.#isAlive = false;
        this.#waiting.splice(0).forEach(({ resolve }) => resolve(undefined));
    }
}
