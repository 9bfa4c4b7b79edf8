/** Counts each reader's requests per minute. Stores only the requests of the last minute. */
export class RequestLimits {
    readonly #counts = new Map<string, number>();
    #minute = 0;

    /** @param perMinute - the limit for one reader @param now - returns milliseconds */
    constructor(
        private readonly perMinute: number,
        private readonly now: () => number = Date.now,
    ) {}

    /** @returns the seconds to wait, or undefined if the request may be answered */
    add(reader: string): number | undefined {
        const now = this.now();
        const minute = Math.floor(now / 60_000);
        if (minute !== this.#minute) {
            this.#minute = minute;
            this.#counts.clear();
        }
        const count = this.#counts.get(reader) ?? 0;
        if (count >= this.perMinute) {
            return Math.ceil(((minute + 1) * 60_000 - now) / 1000);
        }
        this.#counts.set(reader, count + 1);
        return undefined;
    }
}
