import { clientOf } from "@pulumi-static-export/contract";

interface SignInLimitsOptions {
    /** Milliseconds since an arbitrary moment. @default performance.now */
    elapsedMs?: () => number;
}

const windowMs = 15 * 60_000;
const maxOfClient = 10;
/** For all clients together, so that many addresses do not avoid the limit of one client. */
const maxOfAll = 300;
/** More clients than the limit of all of them cannot fail within the window. */
const everybody = "";

/**
 * Limits how many failed sign-ins of this process are answered and recorded one by one, for each client and in total.
 * The limits never refuse a valid key: clients may share an address, and the API accepts valid keys at any time, too.
 */
export class SignInLimits {
    readonly #elapsedMs: () => number;
    readonly #failures = new Map<string, { count: number; sinceMs: number }>();

    constructor({ elapsedMs = () => performance.now() }: SignInLimitsOptions = {}) {
        this.#elapsedMs = elapsedMs;
    }

    /** @returns 0 if the failure was counted, or for how many seconds no further one is */
    failed(address: string): number {
        const client = clientOf(address);
        const waits = [this.#waitMs(client, maxOfClient), this.#waitMs(everybody, maxOfAll)];
        const waitMs = Math.max(...waits);
        if (waitMs === 0) {
            this.#count(client);
            this.#count(everybody);
        }
        return Math.ceil(waitMs / 1000);
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
