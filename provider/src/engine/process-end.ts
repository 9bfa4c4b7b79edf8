import type { EventEmitter } from "node:events";

const endSignals = ["SIGINT", "SIGTERM"] as const;

/** The abort reason of work that ends early because this process got a signal. */
export class InterruptedError extends Error {
    override readonly name = "InterruptedError";

    constructor(readonly signal: NodeJS.Signals) {
        super(`interrupted by ${signal}`);
    }
}

/**
 * Handles the end of this process, by a signal or on request: waits for work that was started with `finish`, and then
 * runs the callbacks of `onEnd`. Listens for signals only while work or callbacks are pending: otherwise a signal ends
 * the process immediately, as usual.
 */
export class ProcessEnd {
    readonly #raise: (signal: NodeJS.Signals) => void;
    readonly #events: EventEmitter;
    readonly #ending = new AbortController();
    readonly #cleanups = new Set<() => void>();
    readonly #interruptions = new Set<() => void>();
    #unfinished = 0;
    #isListening = false;
    /** Ends the process; undefined until an end is requested. */
    #end: (() => void) | undefined;

    /**
     * @param raise - sends the signal to this process again, once all work is finished
     * @param events - emits the signals and the exit of the process
     */
    constructor(
        raise: (signal: NodeJS.Signals) => void = (signal) => process.kill(process.pid, signal),
        events: EventEmitter = process,
    ) {
        this.#raise = raise;
        this.#events = events;
    }

    /** Aborted when the process is about to end, so that work can stop early and clean up. */
    get signal(): AbortSignal {
        return this.#ending.signal;
    }

    /** Aborts `signal` and calls `end` once all work is finished. */
    request(reason: Error, end: () => void): void {
        this.#end ??= end;
        this.#ending.abort(reason);
        this.#endIfFinished();
    }

    /** Runs `work` to completion, even if the end of the process is requested meanwhile. */
    async finish<T>(work: () => Promise<T>): Promise<T> {
        this.#unfinished++;
        this.#listen();
        try {
            return await work();
        } finally {
            this.#unfinished--;
            this.#listen();
            this.#endIfFinished();
        }
    }

    /** Calls `cleanUp` when the process ends. Returns a function that unregisters `cleanUp`. */
    onEnd(cleanUp: () => void): () => void {
        return this.#register(this.#cleanups, cleanUp);
    }

    /** Calls `run` as soon as the process gets a signal. Returns a function that unregisters `run`. */
    onInterruption(run: () => void): () => void {
        return this.#register(this.#interruptions, run);
    }

    #register(callbacks: Set<() => void>, callback: () => void): () => void {
        callbacks.add(callback);
        this.#listen();
        return () => {
            callbacks.delete(callback);
            this.#listen();
        };
    }

    #listen(): void {
        const isNeeded = this.#unfinished + this.#cleanups.size + this.#interruptions.size > 0;
        if (isNeeded !== this.#isListening) {
            this.#isListening = isNeeded;
            endSignals.forEach((signal) => this.#events[isNeeded ? "on" : "off"](signal, this.#onSignal));
            this.#events[isNeeded ? "on" : "off"]("exit", this.#cleanUp);
        }
    }

    readonly #onSignal = (signal: NodeJS.Signals): void => {
        callAll(this.#interruptions);
        this.request(new InterruptedError(signal), () => this.#raise(signal));
    };

    readonly #cleanUp = (): void => callAll(this.#cleanups);

    #endIfFinished(): void {
        if (this.#end !== undefined && this.#unfinished === 0) {
            this.#cleanUp();
            this.#interruptions.clear();
            this.#listen();
            this.#end();
        }
    }
}

/** Calls each callback once, even if another one throws. */
function callAll(callbacks: Set<() => void>): void {
    for (const callback of callbacks) {
        callbacks.delete(callback);
        try {
            callback();
        } catch {
            // Errors are ignored: the process is about to end, and the remaining callbacks must run.
        }
    }
}

/** The instance for this process. */
export const processEnd = new ProcessEnd();
