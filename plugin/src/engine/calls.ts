import { parseUrn } from "@pulumi-static-export/contract";
import type { LifecycleHost, OperationContext } from "pulumi-static-export/plugin-entry";
import type { EngineLog } from "./engine-log.js";

/** The contexts of all calls, which share one signal. */
export class Calls {
    readonly #log: EngineLog;
    /** Aborted when the user cancels or the engine is gone. */
    #ended = new AbortController();

    constructor({ gone }: Pick<LifecycleHost, "gone">, log: EngineLog) {
        this.#log = log;
        gone.addEventListener("abort", () => this.#ended.abort(gone.reason), { once: true });
    }

    /** Begins the run of another engine. Cancelling an earlier run does not affect the new one. */
    attach(): void {
        this.#ended = new AbortController();
    }

    /** Ends all waits. Started jobs are saved, and the next `pulumi up` resumes them. */
    cancel(): void {
        this.#ended.abort(new Error("the run was cancelled"));
    }

    /** @param timeoutSeconds - from `customTimeouts`; 0 if the program does not set it */
    context(urn: string, timeoutSeconds = 0): OperationContext {
        return {
            log: (line) => this.#log.info(urn, line),
            signal: this.#ended.signal,
            ...(timeoutSeconds > 0 ? { timeoutSeconds } : {}),
            identityOf: () => parseUrn(urn),
        };
    }
}
