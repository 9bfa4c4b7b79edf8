/** The start of a process that may be closed meanwhile. */
export class ProcessStart {
    readonly #closing = new AbortController();
    #ended: Promise<unknown> = Promise.resolve();

    /** Aborted when the process begins to close. */
    get signal(): AbortSignal {
        return this.#closing.signal;
    }

    /**
     * @throws like `start`, or an AbortError if the process was closed meanwhile, because the start then fails in a
     * part that is closed
     */
    async run<T>(start: (signal: AbortSignal) => Promise<T>): Promise<T> {
        this.signal.throwIfAborted();
        const starting = start(this.signal);
        this.#ended = starting.catch(() => undefined);
        try {
            return await starting;
        } catch (error) {
            this.signal.throwIfAborted();
            throw error;
        }
    }

    /** The process begins to close. */
    closing(): void {
        this.#closing.abort();
    }

    /** Resolves when the start has ended, in whatever way. */
    async ended(): Promise<void> {
        await this.#ended;
    }
}
