import type { Clock } from "../../time/clock.js";
import { RecordChangedError } from "../errors/publish-error.js";
import { type ReadRecord, readRecord } from "../plan/found-files.js";
import { formatRecord, type Pending, type SiteRecord } from "../records/site-record.js";
import type { SiteReader, SiteTarget } from "../targets/site-target.js";

/** How long a run may be silent before another run takes over, and how often a run writes its progress. */
export interface LeaseTimes {
    readonly leaseMs: number;
    readonly beatMs: number;
}

export const defaultLeaseTimes: LeaseTimes = { leaseMs: 20_000, beatMs: 5000 };

/** Further late reads count, so that a target that is always slow does not keep a run waiting for ever. */
const maxLateReads = 15;

/**
 * Waits until no other run is changing the site: until that run ends, or has written nothing for a while. Compares
 * versions instead of times, so that the wait does not depend on clocks. Counts only time in which the other run could
 * write: a read that comes late, because the target was away, this process was suspended or the clock was set, starts
 * the count again.
 */
export async function waitForOtherRuns(
    target: SiteReader,
    { leaseMs, beatMs }: LeaseTimes,
    clock: Clock,
    log: (line: string) => void,
    signal: AbortSignal,
): Promise<ReadRecord> {
    let found = await readRecord(target, signal);
    let seenAtMs = clock.now();
    let readAtMs = seenAtMs;
    let lateReads = 0;
    let isLogged = false;
    while (found.record?.pending?.hasEnded === false && readAtMs - seenAtMs < leaseMs) {
        if (!isLogged) {
            log(
                `${target.address}: another run is publishing, or was killed: waiting up to ${leaseMs / 1000} s for it`,
            );
            isLogged = true;
        }
        await clock.sleep(beatMs, signal);
        const { version } = found;
        found = await readRecord(target, signal);
        const now = clock.now();
        const isLate = Math.abs(now - readAtMs) > 3 * beatMs && lateReads < maxLateReads;
        lateReads += isLate ? 1 : 0;
        seenAtMs = found.version === version && !isLate ? seenAtMs : now;
        readAtMs = now;
    }
    return found;
}

/**
 * The right of one run to change the site. The run keeps the lease by writing its progress. Every write expects the
 * version that this run wrote last, so two runs cannot both succeed.
 */
export class Lease {
    readonly #target: SiteTarget;
    readonly #times: LeaseTimes;
    readonly #clock: Clock;
    readonly #lost = new AbortController();
    #record: SiteRecord;
    #version: string | undefined;
    #writtenAtMs = -Infinity;
    #writes: Promise<unknown> = Promise.resolve();
    #keeping: Promise<void> | undefined;

    /** @param found - the record that this run continues, with its version */
    constructor(
        target: SiteTarget,
        { record, version }: { record: SiteRecord; version: string | undefined },
        times: LeaseTimes,
        clock: Clock,
    ) {
        this.#target = target;
        this.#record = record;
        this.#version = version;
        this.#times = times;
        this.#clock = clock;
    }

    /** Aborted when another run has taken over. */
    get lost(): AbortSignal {
        return this.#lost.signal;
    }

    get record(): SiteRecord {
        return this.#record;
    }

    /** Writes the versions of the record in sequence. */
    write(change: (record: SiteRecord) => SiteRecord, signal: AbortSignal): Promise<void> {
        const writing = this.#writes.then(async () => {
            const record = { ...change(this.#record), serial: this.#record.serial + 1 };
            const startedAtMs = this.#clock.now();
            try {
                const { conditionalWrites } = record;
                const content = formatRecord(record);
                this.#version = await this.#target.writeRecord(content, this.#version, conditionalWrites, signal);
            } catch (error) {
                if (error instanceof RecordChangedError) {
                    this.#lost.abort(error);
                }
                throw error;
            }
            this.#record = record;
            this.#writtenAtMs = startedAtMs;
        });
        this.#writes = writing.catch(() => undefined);
        return writing;
    }

    /** Purges the paths that this run has changed, and the paths that an earlier run could not purge. */
    async purge(
        purge: ((changedPaths: readonly string[], signal: AbortSignal) => Promise<void>) | undefined,
        signal: AbortSignal,
    ): Promise<void> {
        const { changedPaths } = this.#record;
        if (purge !== undefined && changedPaths !== undefined) {
            await purge(changedPaths, signal);
            await this.write(({ changedPaths: _purged, ...last }) => last, signal);
        }
    }

    /** Writes the run's progress. */
    save(progress: Partial<Pending>, signal: AbortSignal): Promise<void> {
        return this.write((record) => ({ ...record, pending: { ...record.pending!, ...progress } }), signal);
    }

    /**
     * Writes the progress if a write is due. Call this method before each step: a run that was suspended learns here
     * that it has lost the lease.
     */
    async keep(progress: () => Partial<Pending>, signal: AbortSignal): Promise<void> {
        this.#lost.signal.throwIfAborted();
        const silentMs = this.#clock.now() - this.#writtenAtMs;
        // Negative if the clock was set back.
        if (silentMs >= 0 && silentMs < this.#times.beatMs) {
            return;
        }
        this.#keeping ??= this.save(progress(), signal).finally(() => (this.#keeping = undefined));
        // Steps continue meanwhile, unless another run may already have taken over.
        if (silentMs >= this.#times.leaseMs / 2) {
            await this.#keeping;
        } else {
            this.#keeping.catch(() => undefined);
        }
    }

    /** Renews the lease during a long step. Returns a function that stops the renewal. */
    beat(progress: () => Partial<Pending>, signal: AbortSignal): () => void {
        // A failure is thrown before the next step.
        const timer = setInterval(() => void this.keep(progress, signal).catch(() => undefined), this.#times.beatMs);
        return () => clearInterval(timer);
    }

    /** Checks whether the target supports conditional writes, and stores the result in the record. */
    async findConditionalWrites(signal: AbortSignal): Promise<boolean> {
        const conditionalWrites = await this.#target.findConditionalWrites(formatRecord(this.#record), signal);
        if (!conditionalWrites) {
            this.#version = (await readRecord(this.#target, signal)).version;
            await this.write((record) => ({ ...record, conditionalWrites }), signal);
        }
        return conditionalWrites;
    }
}
