import type { JournalFiles } from "./journal-files.js";
import type { Owner, ProcessTable } from "./owner.js";

export const heartbeatEveryMs = 5_000;
/** A process that nobody can look at has ended when its heartbeat has stood still for so long. */
export const leaseMs = 30_000;

export interface HeartbeatsOptions {
    processes: ProcessTable;
    /** Of a clock that nobody sets. */
    elapsedMs: () => number;
    /** Wall clock, for people who read the folder. */
    now: () => number;
}

/**
 * Tells which owners of entries still run. A process of this machine is looked at. Of any other one the heartbeat is
 * watched for a change, so that the clocks of two hosts need not agree.
 */
export class Heartbeats {
    readonly #files: JournalFiles;
    readonly #options: HeartbeatsOptions;
    readonly #self: Owner & { id: string };
    /** What was read of other processes' heartbeats, and since when it has stood so. */
    readonly #seen = new Map<string, { beat: string; sinceMs: number }>();
    #beats = 0;
    #first: Promise<void> | undefined;

    constructor(files: JournalFiles, self: Owner & { id: string }, options: HeartbeatsOptions) {
        this.#files = files;
        this.#self = self;
        this.#options = options;
    }

    /** Beats for the first time: to be called before an entry is written. */
    begin(): Promise<void> {
        this.#first ??= this.#write();
        return this.#first;
    }

    /** Beats again, once it has begun. */
    async beat(): Promise<void> {
        if (this.#first !== undefined) {
            await this.#first;
            await this.#write();
        }
    }

    /** Undefined while it is not known yet: then look again. */
    async isRunning(owner: Owner): Promise<boolean | undefined> {
        if (owner.id === this.#self.id) {
            return true;
        }
        const known = this.#options.processes.isRunning(owner);
        if (known !== undefined || owner.id === undefined) {
            return known ?? false;
        }
        return this.#watch(owner.id);
    }

    async #watch(id: string): Promise<boolean | undefined> {
        const content = await this.#files.read(nameOf(id));
        if (content === undefined) {
            return false;
        }
        const beat = JSON.stringify(content);
        const nowMs = this.#options.elapsedMs();
        const seen = this.#seen.get(id);
        if (seen?.beat !== beat) {
            this.#seen.set(id, { beat, sinceMs: nowMs });
            return seen === undefined ? undefined : true;
        }
        return nowMs - seen.sinceMs >= leaseMs ? false : undefined;
    }

    /** To be called by a process that is about to end: nobody needs to watch it any more. */
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
