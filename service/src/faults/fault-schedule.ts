import { setTimeout as sleep } from "node:timers/promises";
import { type Fault, type FaultEffect, type FaultOperation } from "./fault.js";
import { readFault } from "./fault-spec.js";

/** A fault that applies to the current request. */
export interface DueFault {
    spec: string;
    effect?: FaultEffect;
    /** Waits for the fault's delay. @throws the signal's reason if the signal is aborted first */
    wait(signal: AbortSignal): Promise<void>;
}

interface Entry {
    fault: Fault;
    seen: number;
    hit: number;
}

/**
 * Decides which requests fail: each fault counts the requests of its operations, and the first fault that is due
 * applies.
 */
export class FaultSchedule {
    #entries: Entry[] = [];

    /** @throws FaultSpecError */
    constructor(specs: readonly string[]) {
        this.set(specs);
    }

    /** Replaces all faults and restarts the counts. @throws FaultSpecError, without changing the faults */
    set(specs: readonly string[]): void {
        this.#entries = specs.map(readFault).map((fault) => ({ fault, seen: 0, hit: 0 }));
    }

    take(operation: FaultOperation): DueFault | undefined {
        const concerned = this.#entries.filter(({ fault }) => fault.operations.includes(operation));
        for (const entry of concerned) {
            entry.seen += 1;
        }
        const due = concerned.find(({ fault, seen, hit }) => seen > fault.after && hit < fault.times);
        if (due === undefined) {
            return undefined;
        }
        due.hit += 1;
        const { spec, effect, delayMs } = due.fault;
        return {
            spec,
            ...(effect === undefined ? {} : { effect }),
            wait: async (signal) => {
                if (delayMs > 0) {
                    await sleep(delayMs, undefined, { signal });
                }
            },
        };
    }
}
