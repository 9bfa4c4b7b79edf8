import { parseUrn } from "@pulumi-static-export/contract";
import type { LifecycleHost, RunContext } from "pulumi-static-export/plugin-entry";
import type { EngineLog } from "./engine-log.js";

/** The contexts of all calls. They share one signal, which fires when the user cancels. */
export class Calls {
    readonly #log: EngineLog;
    readonly #host: Pick<LifecycleHost, "gone">;
    #cancelled = new AbortController();

    constructor(host: Pick<LifecycleHost, "gone">, log: EngineLog) {
        this.#log = log;
        this.#host = host;
    }

    /** Begins the run of another engine, which an earlier engine's cancellation does not affect. */
    attach(): void {
        this.#cancelled = new AbortController();
    }

    /** Ends all waits. Started jobs are saved, and the next `pulumi up` resumes them. */
    cancel(): void {
        this.#cancelled.abort(new Error("the run was cancelled"));
    }

    /** @param timeoutSeconds - from `customTimeouts`; 0 if the program sets none */
    context(urn: string, timeoutSeconds = 0): RunContext {
        return {
            log: (line) => this.#log.info(urn, line),
            signal: AbortSignal.any([this.#host.gone, this.#cancelled.signal]),
            ...(timeoutSeconds > 0 ? { timeoutSeconds } : {}),
            identityOf: () => parseUrn(urn),
        };
    }
}
