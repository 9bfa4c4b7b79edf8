import { parseUrn } from "@pulumi-static-export/contract";
import type { LifecycleHost, RunContext } from "pulumi-static-export/plugin-entry";
import type { EngineLog } from "./engine-log.js";

/** The contexts of all calls, which share one signal for when the user cancels. */
export class Calls {
    readonly #log: EngineLog;
    readonly #host: Pick<LifecycleHost, "gone">;
    #cancelled = new AbortController();

    constructor(host: Pick<LifecycleHost, "gone">, log: EngineLog) {
        this.#log = log;
        this.#host = host;
    }

    /** Begins the run of another engine, which the last one's cancellation does not concern. */
    attach(): void {
        this.#cancelled = new AbortController();
    }

    /** Ends all waits. What was started is saved, and the next `pulumi up` resumes it. */
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
