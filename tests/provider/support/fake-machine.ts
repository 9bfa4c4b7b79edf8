import type { ProcessTable } from "../../../provider/src/engine/journal/owner.js";

let machines = 0;

/**
 * A machine whose processes run until they are killed. The machine has no information about other machines' processes.
 */
export class FakeMachine {
    readonly host = `machine ${++machines}`;
    readonly #running = new Set<number>();
    #started = 0;

    /** Starts a process, and returns its view of the machine. */
    start(): ProcessTable {
        const pid = ++this.#started;
        this.#running.add(pid);
        return {
            self: { host: this.host, pid },
            isRunning: ({ host, pid: other }) => (host === this.host ? this.#running.has(other) : undefined),
        };
    }

    kill(process: ProcessTable): void {
        this.#running.delete(process.self.pid);
    }

    killAll(): void {
        this.#running.clear();
    }
}
