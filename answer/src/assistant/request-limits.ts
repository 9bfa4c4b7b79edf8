/** Counts requests of each reader in a minute. It stores no more than a minute's requests. */
export class RequestLimits {
    readonly #counts = new Map<string, number>();
    #minute = 0;

    /**
     * @param perMinute - of one reader
     * @param now - milliseconds
     */
    constructor(
        private readonly perMinute: number,
        private readonly now: () => number = Date.now,
    ) {}

    /** @returns the seconds to wait, or undefined for a request that may be answered */
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
