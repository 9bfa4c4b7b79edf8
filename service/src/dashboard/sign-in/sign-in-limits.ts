interface SignInLimitsOptions {
    /** Milliseconds since an arbitrary moment. @default performance.now */
    elapsedMs?: () => number;
}

const windowMs = 15 * 60_000;
const maxOfAddress = 10;
/** For all addresses together, so that many addresses are no way around the limit of one. */
const maxOfAll = 300;
/** More addresses than the limit of all of them cannot fail within the window. */
const everybody = "";

/** Limits failed sign-ins in this process, for each address and in total. A success does not count. */
export class SignInLimits {
    readonly #elapsedMs: () => number;
    readonly #failures = new Map<string, { count: number; sinceMs: number }>();

    constructor({ elapsedMs = () => performance.now() }: SignInLimitsOptions = {}) {
        this.#elapsedMs = elapsedMs;
    }

    /** In how many seconds the address may try again; 0 for now. */
    waitSeconds(address: string): number {
        const waits = [this.#waitMs(address, maxOfAddress), this.#waitMs(everybody, maxOfAll)];
        return Math.ceil(Math.max(...waits) / 1000);
    }

    failed(address: string): void {
        this.#count(address);
        this.#count(everybody);
    }

    #waitMs(name: string, max: number): number {
        const known = this.#current(name);
        return known === undefined || known.count < max ? 0 : known.sinceMs + windowMs - this.#elapsedMs();
    }

    #count(name: string): void {
        const known = this.#current(name);
        this.#failures.set(name, { count: (known?.count ?? 0) + 1, sinceMs: known?.sinceMs ?? this.#elapsedMs() });
    }

    #current(name: string): { count: number; sinceMs: number } | undefined {
        const now = this.#elapsedMs();
        for (const [each, { sinceMs }] of this.#failures) {
            if (now - sinceMs >= windowMs) {
                this.#failures.delete(each);
            }
        }
        return this.#failures.get(name);
    }
}
