import { connect, type Socket } from "node:net";
import { type ProcessEnd, processEnd } from "./process-end.js";

const intervalMs = 2000;
/** If the engine is still running this long after it received a result, the result counts as saved. */
const savedAfterMs = 60_000;

interface EngineWatchOptions {
    end?: ProcessEnd;
    /** Exits this process. */
    exit?: () => void;
    /** Milliseconds of a monotonic clock. */
    elapsedMs?: () => number;
    /** Opens a connection to the engine. */
    connect?: (address: { host: string; port: number }) => Socket;
}

/**
 * Exits this process when the engine that started it is gone. Pulumi does not notify a dynamic provider when the engine
 * is killed: without this watch, the provider would keep waiting for jobs as an orphan.
 */
export class EngineWatch {
    readonly #address: { host: string; port: number } | undefined;
    readonly #end: ProcessEnd;
    readonly #exit: () => void;
    readonly #elapsedMs: () => number;
    readonly #connect: (address: { host: string; port: number }) => Socket;
    /** Callbacks for results that Pulumi will save, with the time when each result was passed to Pulumi. */
    readonly #handedOver = new Map<() => void, number>();

    /** @param address - the engine's address as Pulumi passes it, `127.0.0.1:43210`; without it, nothing is watched */
    constructor(address: string | undefined, options: EngineWatchOptions = {}) {
        const [, host, port] = /^(.+):(\d+)$/.exec(address ?? "") ?? [];
        this.#address = host === undefined ? undefined : { host, port: Number(port) };
        this.#end = options.end ?? processEnd;
        this.#exit = options.exit ?? (() => process.exit(1));
        this.#elapsedMs = options.elapsedMs ?? (() => performance.now());
        this.#connect = options.connect ?? ((each) => connect(each));
    }

    /** Aborted when the engine is gone, or when a signal ends this process. */
    get gone(): AbortSignal {
        return this.#end.signal;
    }

    /** Checks periodically that the engine is running. Does not keep the process alive. */
    start(): void {
        setInterval(() => void this.#check(), intervalMs).unref();
    }

    /** Runs a wait and checks the engine once more before the result is returned. */
    async whileAlive<T>(wait: () => Promise<T>): Promise<T> {
        try {
            return await wait();
        } finally {
            await this.#check();
        }
    }

    /**
     * Runs `work` to its end, even if the engine exits or this process gets a signal meanwhile: the process exits
     * afterwards. Starts nothing if the engine is already gone.
     */
    async finish<T>(work: () => Promise<T>): Promise<T> {
        await this.#check();
        if (this.#end.signal.aborted) {
            throw new Error("The Pulumi engine is gone: nothing was started.");
        }
        return this.#end.finish(work);
    }

    /**
     * Calls `forget` once Pulumi has saved the result that is about to be returned. The engine saves all results before
     * it ends its providers with a signal, so `forget` must be synchronous. If the engine is killed, `forget` is not
     * called, because the result may not have been saved.
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

    #check(): Promise<void> {
        const address = this.#address;
        if (!address) {
            return Promise.resolve();
        }
        return new Promise((resolve) => {
            const socket = this.#connect(address);
            socket.once("connect", () => {
                socket.destroy();
                this.#forgetSaved();
                resolve();
            });
            socket.once("error", (error: NodeJS.ErrnoException) => {
                // Other errors, such as too many open files, do not mean that the engine is gone.
                if (error.code === "ECONNREFUSED") {
                    this.#end.request(new Error("The Pulumi engine is gone."), this.#exit);
                }
                resolve();
            });
        });
    }
}
