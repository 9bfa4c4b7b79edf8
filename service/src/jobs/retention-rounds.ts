import { type ServiceDatabase } from "../database/database.js";
import { ObservedTime } from "../database/observed-time.js";
import { dayMs } from "../shared/day-ms.js";

/** How often the retention is applied. */
const intervalMs = 10 * 60_000;
/** How often the retention lists the storage. */
const listingMs = dayMs;
/** After this time, a listing that did not end, for example because its process was replaced, is due again. */
const listingRetryMs = 60 * 60_000;

/** The rounds of the retention, recorded in the database. Exactly one process begins each round. */
export class RetentionRounds {
    readonly #database: ServiceDatabase;
    readonly #clock: () => number;
    readonly observed: ObservedTime;

    constructor(database: ServiceDatabase, clock: () => number) {
        this.#database = database;
        this.#clock = clock;
        this.observed = new ObservedTime(database, clock);
    }

    /** Begins a round if one is due. @returns whether this process should run it */
    async beginIfDue(): Promise<boolean> {
        const now = this.#clock();
        // A round in the future comes from a machine whose clock was wrong.
        const begun = await this.#database.run(
            "UPDATE retention_rounds SET began_at = :now WHERE began_at <= :due OR began_at > :future",
            { now, due: now - intervalMs, future: now + intervalMs },
        );
        return begun === 1;
    }

    /** Begins a round even if none is due, or renews this process's round, so that no other process begins one. */
    async begin(): Promise<void> {
        await this.#database.run("UPDATE retention_rounds SET began_at = :now", { now: this.#clock() });
    }

    /** Ends a round early: another process may begin the next one at once. */
    async release(): Promise<void> {
        await this.#database.run("UPDATE retention_rounds SET began_at = 0");
    }

    /** Begins a listing of the storage if one is due. @returns whether this process should list it */
    async beginListingIfDue(): Promise<boolean> {
        const now = this.#clock();
        const begun = await this.#database.run(
            "UPDATE retention_rounds SET listed_at = :again WHERE listed_at <= :due OR listed_at > :now",
            { now, due: now - listingMs, again: now - listingMs + listingRetryMs },
        );
        return begun === 1;
    }

    /** Records that this process has listed all of the storage. */
    async endListing(): Promise<void> {
        await this.#database.run("UPDATE retention_rounds SET listed_at = :now", { now: this.#clock() });
    }

    /** Records that a round has removed everything outdated. */
    async succeed(): Promise<void> {
        await this.#database.run("UPDATE retention_rounds SET ended_at = :now", { now: this.#clock() });
    }

    /**
     * The time when a round of any process last removed everything outdated; before the first such round, the time when
     * the database was set up.
     */
    async lastSuccessAt(): Promise<Date> {
        const row = await this.#database.get<{ ended_at: number }>("SELECT ended_at FROM retention_rounds");
        return new Date(row?.ended_at ?? 0);
    }
}
