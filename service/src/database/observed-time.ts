import { type ServiceDatabase, type SqlClient } from "./database.js";

/** A longer silence between two observations does not count: nobody knows whether the service ran. */
const maxSilenceMs = 3_600_000;

interface Span {
    began_at: number;
    ended_at: number;
}

/**
 * The time in which the service ran and reached its database, recorded there as spans. Only this time makes anything
 * old enough to be removed: while the service was off, nobody could use what it stores, and a clock that is set forward
 * by a year makes nothing a year older. Each silence of more than an hour adds a row, so the table stays small.
 */
export class ObservedTime {
    readonly #database: ServiceDatabase;
    readonly #clock: () => number;

    constructor(database: ServiceDatabase, clock: () => number) {
        this.#database = database;
        this.#clock = clock;
    }

    /** Records that the service runs now. @returns how long nothing was observed before; 0 for up to an hour */
    async observe(): Promise<number> {
        const now = this.#clock();
        return this.#database.transaction(async (transaction) => {
            // Times in the future come from a clock that has been set back.
            await transaction.run("DELETE FROM observed_times WHERE began_at > :now", { now });
            await transaction.run("UPDATE observed_times SET ended_at = :now WHERE ended_at > :now", { now });
            const lasting = await transaction.run(
                "UPDATE observed_times SET ended_at = :now WHERE ended_at >= :since",
                { now, since: now - maxSilenceMs },
            );
            if (lasting > 0) {
                return 0;
            }
            const newest = await transaction.get<{ at: number | null }>(
                "SELECT max(ended_at) AS at FROM observed_times",
            );
            await transaction.run(
                "INSERT INTO observed_times (began_at, ended_at) VALUES (:now, :now) ON CONFLICT DO NOTHING",
                { now },
            );
            return now - (newest?.at ?? now);
            // Two spans that grow at the same time would count twice.
        }, "retention");
    }

    /**
     * The moment since which the service was observed for this long. The time before the first observation counts.
     *
     * @param within - the transaction to run in @default a new one
     */
    async ago(ms: number, within: SqlClient = this.#database): Promise<number> {
        const now = this.#clock();
        const spans = await within.all<Span>(
            "SELECT began_at, ended_at FROM observed_times WHERE began_at <= :now ORDER BY began_at DESC",
            { now },
        );
        let leftMs = ms;
        for (const [place, { began_at: beganAt, ended_at: endedAt }] of spans.entries()) {
            const isLasting = place === 0 && now - endedAt <= maxSilenceMs;
            const end = isLasting ? now : Math.min(endedAt, now);
            if (end - beganAt >= leftMs || place === spans.length - 1) {
                return end - leftMs;
            }
            leftMs -= end - beganAt;
        }
        return now - ms;
    }
}
