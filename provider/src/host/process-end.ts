import type { EventEmitter } from "node:events";

const endSignals = ["SIGINT", "SIGTERM"] as const;

/** Why work ends before its time when this process got a signal. */
export class InterruptedError extends Error {
    override readonly name = "InterruptedError";

    constructor(readonly signal: NodeJS.Signals) {
        super(`interrupted by ${signal}`);
    }
}

/**
 * The one place where this process hears that it is to end: by a signal, or because it was requested. Work that was
 * begun with `finish` is finished first, and what was registered with `onEnd` is cleaned up. Listens only while there is
 * such work: at all other times a signal ends the process as it does without this.
 */
export class ProcessEnd {
    readonly #raise: (signal: NodeJS.Signals) => void;
    readonly #events: EventEmitter;
    readonly #ending = new AbortController();
    readonly #cleanups = new Set<() => void>();
    readonly #interruptions = new Set<() => void>();
    #unfinished = 0;
    #isListening = false;
    /** Ends the process; undefined while nobody wants that. */
    #end: (() => void) | undefined;

    /**
     * @param raise - ends the process with a signal once all is finished
     * @param events - where the signals and the exit of the process are heard
     */
    constructor(
        raise: (signal: NodeJS.Signals) => void = (signal) => process.kill(process.pid, signal),
        events: EventEmitter = process,
    ) {
        this.#raise = raise;
        this.#events = events;
    }

    /** Aborted when the process is told to end: for work that is not worth being finished then, and has to clean up. */
    get signal(): AbortSignal {
        return this.#ending.signal;
    }

    /** Aborts `signal`, and calls `end` once nothing is unfinished. */
    request(reason: Error, end: () => void): void {
        this.#end ??= end;
        this.#ending.abort(reason);
        this.#endIfFinished();
    }

    /** Runs something to its end even when the process is told to end meanwhile; it ends after it then. */
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

    /** Calls `cleanUp` when the process ends. Returns what takes it back. */
    onEnd(cleanUp: () => void): () => void {
        return this.#register(this.#cleanups, cleanUp);
    }

    /** Calls `run` as soon as the process gets a signal. Returns what takes it back. */
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

/** Each of them once, also when one of them fails. */
function callAll(callbacks: Set<() => void>): void {
    for (const callback of callbacks) {
        callbacks.delete(callback);
        try {
            callback();
        } catch {
            // The process ends, and the others are still to be called.
        }
    }
}

/** Of this process. */
export const processEnd = new ProcessEnd();
