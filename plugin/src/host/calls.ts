import { parseUrn } from "@pulumi-static-export/contract";
import type { LifecycleHost, RunContext } from "pulumi-static-export/lifecycles";
import type { EngineLog } from "./engine-log.js";

/** The contexts of all calls, which share one signal for when the user cancels. */
export class Calls {
    readonly #log: EngineLog;
    readonly #cancelled = new AbortController();
    readonly #signal: AbortSignal;

    constructor(host: Pick<LifecycleHost, "gone">, log: EngineLog) {
        this.#log = log;
        this.#signal = AbortSignal.any([host.gone, this.#cancelled.signal]);
    }

    /** Ends all waits. What was started is saved, and the next `pulumi up` resumes it. */
    cancel(): void {
        this.#cancelled.abort(new Error("the run was cancelled"));
    }

    /** @param timeoutSeconds - from `customTimeouts`; 0 if the program sets none */
    context(urn: string, timeoutSeconds = 0): RunContext {
        return {
            log: (line) => this.#log.info(urn, line),
            signal: this.#signal,
            ...(timeoutSeconds > 0 ? { timeoutSeconds } : {}),
            identityOf: () => parseUrn(urn),
        };
    }
}
