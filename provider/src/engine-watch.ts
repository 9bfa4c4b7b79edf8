import { connect } from "node:net";

const intervalMs = 2000;
const endSignals = ["SIGINT", "SIGTERM"] as const;

/**
 * Ends this process when the engine that started it is gone. Pulumi tells a dynamic provider nothing when the engine
 * is killed: without this, the provider would wait on as an orphan, and hand its bundle to nobody.
 */
export class EngineWatch {
    readonly #address: { host: string; port: number } | undefined;
    readonly #onGone: () => void;
    /** What has to be finished first. */
    #unfinished = 0;
    readonly #gone = new AbortController();
    /** Also for a signal: Pulumi tells a provider to end only when the user insists, by a second Ctrl-C. */
    readonly #noteGone = (): void => {
        this.#gone.abort(new Error("The Pulumi engine is gone."));
    };

    /** @param address - what Pulumi passes to a provider's process: `127.0.0.1:43210`; nothing is watched without it */
    constructor(address: string | undefined, onGone: () => void) {
        const [, host, port] = /^(.+):(\d+)$/.exec(address ?? "") ?? [];
        this.#address = host === undefined ? undefined : { host, port: Number(port) };
        this.#onGone = onGone;
    }

    /** Aborted when the engine is gone: for work that is not worth being finished then, and has to clean up. */
    get gone(): AbortSignal {
        return this.#gone.signal;
    }

    /** Watches for as long as this process runs, and is no reason for it to run on. */
    start(): void {
        setInterval(() => void this.#look(), intervalMs).unref();
    }

    /** Looks once more at the end of a wait, before anything is handed over. */
    async whileAlive<T>(wait: () => Promise<T>): Promise<T> {
        try {
            return await wait();
        } finally {
            await this.#look();
        }
    }

    /**
     * Runs something to its end even when the engine goes meanwhile, or when this process is told to end; it ends after
     * it then. Nothing is begun once the engine is gone.
     */
    async finish<T>(work: () => Promise<T>): Promise<T> {
        await this.#look();
        if (this.#gone.signal.aborted) {
            throw new Error("The Pulumi engine is gone: nothing was started.");
        }
        this.#hold();
        try {
            return await work();
        } finally {
            this.#release();
        }
    }

    #hold(): void {
        if (this.#unfinished++ === 0) {
            endSignals.forEach((signal) => process.on(signal, this.#noteGone));
        }
    }

    #release(): void {
        if (--this.#unfinished === 0) {
            endSignals.forEach((signal) => process.off(signal, this.#noteGone));
        }
        this.#endIfGone();
    }

    #endIfGone(): void {
        if (this.#gone.signal.aborted && this.#unfinished === 0) {
            this.#onGone();
        }
    }

    #look(): Promise<void> {
        const address = this.#address;
        if (!address) {
            return Promise.resolve();
        }
        return new Promise((resolve) => {
            const socket = connect(address);
            socket.once("connect", () => {
                socket.destroy();
                resolve();
            });
            socket.once("error", (error: NodeJS.ErrnoException) => {
                // Anything else, such as too many open files, says nothing about the engine.
                if (error.code === "ECONNREFUSED") {
                    this.#noteGone();
                    this.#endIfGone();
                }
                resolve();
            });
        });
    }
}
