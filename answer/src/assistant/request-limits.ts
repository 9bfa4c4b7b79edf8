interface RequestLimitsOptions {
    /** The limit of one reader. */
    perMinute: number;
    /** The limit of all readers together. */
    perHour: number;
    /** Milliseconds since 1970. @default Date.now */
    now?: () => number;
}

/** Why a request is refused. */
interface Refusal {
    whose: "reader" | "everybody";
    waitSeconds: number;
}

/** Counts each reader's requests per minute, and those of all readers per hour. */
export class RequestLimits {
    readonly #ofReaders: CountedRequests;
    readonly #ofEverybody: CountedRequests;

    constructor({ perMinute, perHour, now = Date.now }: RequestLimitsOptions) {
        this.#ofReaders = new CountedRequests(perMinute, 60_000, now);
        this.#ofEverybody = new CountedRequests(perHour, 3_600_000, now);
    }

    /** A request that its reader's limit refuses does not count for the others. @returns undefined to answer it */
    add(reader: string): Refusal | undefined {
        const readerSeconds = this.#ofReaders.add(reader);
        if (readerSeconds !== undefined) {
            return { whose: "reader", waitSeconds: readerSeconds };
        }
        const waitSeconds = this.#ofEverybody.add("");
        return waitSeconds === undefined ? undefined : { whose: "everybody", waitSeconds };
    }
}

/** Stores only the requests of the current period. */
class CountedRequests {
    readonly #counts = new Map<string, number>();
    #period = 0;

    constructor(
        private readonly limit: number,
        private readonly periodMs: number,
        private readonly now: () => number,
    ) {}

    /** @returns the seconds to wait, or undefined if the request is within the limit */
    add(name: string): number | undefined {
        const now = this.now();
        const period = Math.floor(now / this.periodMs);
        if (period !== this.#period) {
            this.#period = period;
            this.#counts.clear();
        }
        const count = this.#counts.get(name) ?? 0;
        if (count >= this.limit) {
            return Math.ceil(((period + 1) * this.periodMs - now) / 1000);
        }
        this.#counts.set(name, count + 1);
        return undefined;
    }
}
