import { connect } from "node:net";
import { type ProcessEnd, processEnd } from "./process-end.js";

const intervalMs = 2000;
/** What was handed over counts as saved when the engine is still there so long after it. */
const savedAfterMs = 60_000;

export interface EngineWatchOptions {
    end?: ProcessEnd;
    /** Ends this process. */
    exit?: () => void;
    /** Milliseconds of a clock that nobody sets. */
    elapsedMs?: () => number;
}

/**
 * Ends this process when the engine that started it is gone. Pulumi tells a dynamic provider nothing when the engine
 * is killed: without this, the provider would wait on as an orphan, and hand its bundle to nobody.
 */
export class EngineWatch {
    readonly #address: { host: string; port: number } | undefined;
    readonly #end: ProcessEnd;
    readonly #exit: () => void;
    readonly #elapsedMs: () => number;
    /** What to do once Pulumi has saved a result, and when it was handed over. */
    readonly #handedOver = new Map<() => void, number>();

    /** @param address - what Pulumi passes to a provider's process: `127.0.0.1:43210`; nothing is watched without it */
    constructor(address: string | undefined, options: EngineWatchOptions = {}) {
        const [, host, port] = /^(.+):(\d+)$/.exec(address ?? "") ?? [];
        this.#address = host === undefined ? undefined : { host, port: Number(port) };
        this.#end = options.end ?? processEnd;
        this.#exit = options.exit ?? (() => process.exit(1));
        this.#elapsedMs = options.elapsedMs ?? (() => performance.now());
    }

    /** Aborted when there is no engine any more, or none that wants a result: by a signal. */
    get gone(): AbortSignal {
        return this.#end.signal;
    }

    /** Watches for as long as this process runs. Does not keep the process alive. */
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
        if (this.#end.signal.aborted) {
            throw new Error("The Pulumi engine is gone: nothing was started.");
        }
        return this.#end.finish(work);
    }

    /**
     * Calls `forget` once Pulumi has saved a result that is handed over now. The engine saves what it was given before it
     * ends its providers, which it does by a signal; `forget` has to be done when it returns. When the engine is killed
     * nobody knows whether the result was saved, and `forget` is not called.
     */
    whenSaved(forget: () => void): void {
        const takeBack = this.#end.onInterruption(saved);
        const handedOver = this.#handedOver;
        handedOver.set(saved, this.#elapsedMs());
        function saved(): void {
            takeBack();
            handedOver.delete(saved);
            forget();
        }
    }

    #forgetSaved(): void {
        const nowMs = this.#elapsedMs();
        for (const [saved, handedOverMs] of this.#handedOver) {
            if (nowMs - handedOverMs >= savedAfterMs) {
                saved();
            }
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
                this.#forgetSaved();
                resolve();
            });
            socket.once("error", (error: NodeJS.ErrnoException) => {
                // Anything else, such as too many open files, says nothing about the engine.
                if (error.code === "ECONNREFUSED") {
                    this.#end.request(new Error("The Pulumi engine is gone."), this.#exit);
                }
                resolve();
            });
        });
    }
}
