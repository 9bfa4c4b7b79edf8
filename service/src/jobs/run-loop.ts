import { setTimeout as delay } from "node:timers/promises";

export interface RunLoopOptions<Run> {
    /** How many runs may be active at the same time. */
    concurrency: number;
    /** The key of a run. Runs with the same key are never active at the same time. */
    keyOf: (run: Run) => string;
    /**
     * Takes the next run whose key is not busy; undefined if every key is busy, or if the next run must run alone and
     * others are active.
     */
    begin: (busyKeys: readonly string[]) => Run | undefined | Promise<Run | undefined>;
    /** Whether the run must be the only one until it has ended. @default none */
    runsAlone?: (run: Run) => boolean;
    execute: (run: Run) => Promise<void>;
    /** Called for every error that `begin` or `execute` throws. An error does not end the loop. */
    onError: (error: unknown) => void;
    /**
     * After an error of `begin`, for example because the disk is full, the loop tries again after this time.
     * @default 1000
     */
    retryMs?: number | undefined;
}

/** Executes runs as they arrive, and limits how many are active at the same time. */
export class RunLoop<Run> {
    readonly #options: RunLoopOptions<Run>;
    readonly #active = new Map<string, Promise<void>>();
    readonly #closing = new AbortController();
    #alone: Run | undefined;
    #isAwake = false;
    #wakesLater = false;
    #starting: Promise<void> | undefined;

    constructor(options: RunLoopOptions<Run>) {
        this.#options = options;
    }

    /** Starts every run that may start now. Call this method when there may be a new run. Never throws. */
    wake(): void {
        this.#isAwake = true;
        this.#starting ??= this.#start().finally(() => {
            this.#starting = undefined;
            if (this.#isAwake && !this.#closing.signal.aborted) {
                this.wake();
            }
        });
    }

    /** Resolves when the run with this key has ended, if there is one. */
    async ended(key: string): Promise<void> {
        await this.#starting;
        await this.#active.get(key);
    }

    /** Stops starting runs, and resolves when every active run has ended. */
    async close(): Promise<void> {
        this.#closing.abort();
        await this.#starting;
        await Promise.all(this.#active.values());
    }

    async #start(): Promise<void> {
        const { concurrency, keyOf, begin, runsAlone } = this.#options;
        const { signal } = this.#closing;
        while (this.#isAwake && !signal.aborted) {
            this.#isAwake = false;
            try {
                while (!signal.aborted && this.#active.size < concurrency && this.#alone === undefined) {
                    const run = await begin([...this.#active.keys()]);
                    if (run === undefined) {
                        break;
                    }
                    this.#alone = runsAlone?.(run) === true ? run : undefined;
                    // Runs even if the loop is closed meanwhile: a run that has begun must be executed.
                    this.#active.set(keyOf(run), this.#execute(run));
                }
            } catch (error) {
                this.#report(error);
                this.#wakeLater();
            }
        }
    }

    async #execute(run: Run): Promise<void> {
        const { keyOf, execute } = this.#options;
        try {
            await execute(run);
        } catch (error) {
            this.#report(error);
        }
        this.#active.delete(keyOf(run));
        if (this.#alone === run) {
            this.#alone = undefined;
        }
        this.wake();
    }

    #report(error: unknown): void {
        try {
            this.#options.onError(error);
        } catch {
            // A failing logger, for example on a full disk, must not end the loop.
        }
    }

    #wakeLater(): void {
        if (this.#wakesLater) {
            return;
        }
        this.#wakesLater = true;
        delay(this.#options.retryMs ?? 1000, undefined, { signal: this.#closing.signal }).then(
            () => {
                this.#wakesLater = false;
                this.wake();
            },
            () => undefined,
        );
    }
}
