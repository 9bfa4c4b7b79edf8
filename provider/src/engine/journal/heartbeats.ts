import type { JournalFiles } from "./journal-files.js";
import type { Owner, ProcessTable } from "./owner.js";

export const heartbeatEveryMs = 5_000;
/** A process on another host counts as ended when its heartbeat has not changed for this long. */
export const leaseMs = 30_000;

interface HeartbeatsOptions {
    processes: ProcessTable;
    /** Milliseconds of a monotonic clock. */
    elapsedMs: () => number;
    /** Wall clock, for people who read the folder. */
    now: () => number;
}

/**
 * Determines which owners of entries are still running. Looks up this machine's processes in the process table, and
 * watches the heartbeats of processes elsewhere for changes, so that the clocks of hosts need not agree.
 */
export class Heartbeats {
    readonly #files: JournalFiles;
    readonly #options: HeartbeatsOptions;
    readonly #self: Owner;
    /** The last heartbeat of each other process, and when it was first seen. */
    readonly #seen = new Map<string, { beat: string; sinceMs: number }>();
    #beats = 0;
    #first: Promise<void> | undefined;

    constructor(files: JournalFiles, self: Owner, options: HeartbeatsOptions) {
        this.#files = files;
        this.#self = self;
        this.#options = options;
    }

    /** Writes the first heartbeat. Call this method before an entry is written. */
    begin(): Promise<void> {
        this.#first ??= this.#write();
        return this.#first;
    }

    /** Writes the next heartbeat, if the first one was written. */
    async beat(): Promise<void> {
        if (this.#first !== undefined) {
            await this.#first;
            await this.#write();
        }
    }

    /** Whether an entry's owner may be running. A process on another host counts as running until its lease ends. */
    async isRunning(owner: Owner): Promise<boolean> {
        if (owner.id === this.#self.id) {
            return true;
        }
        return this.#options.processes.isRunning(owner) ?? this.#watch(owner.id);
    }

    async #watch(id: string): Promise<boolean> {
        const content = await this.#files.read(nameOf(id));
        if (content === undefined) {
            return false;
        }
        const beat = JSON.stringify(content);
        const nowMs = this.#options.elapsedMs();
        const seen = this.#seen.get(id);
        if (seen?.beat !== beat) {
            this.#seen.set(id, { beat, sinceMs: nowMs });
            return true;
        }
        return nowMs - seen.sinceMs < leaseMs;
    }

    /** Removes the heartbeat of this process, which is about to exit. */
    endNow(): void {
        if (this.#first !== undefined) {
            this.#files.removeNow(nameOf(this.#self.id));
            this.#first = undefined;
        }
    }

    #write(): Promise<void> {
        const at = new Date(this.#options.now()).toISOString();
        return this.#files.overwrite(nameOf(this.#self.id), { at, beat: String(++this.#beats).padStart(9, "0") });
    }
}

function nameOf(id: string): string {
    return `alive.${id}.json`;
}
