import { type ServiceLogger } from "../shared/logger.js";

const maxAddresses = 5;
/** A stranger may send such a request, too, but a proxy keeps sending them. */
const shownMs = 3600 * 1000;

/** The addresses from which requests name another client, although the service does not trust them to. */
export class UntrustedProxies {
    readonly #clock: () => number;
    readonly #logger: ServiceLogger;
    readonly #seenAt = new Map<string, number>();

    constructor(clock: () => number, logger: ServiceLogger) {
        this.#clock = clock;
        this.#logger = logger;
    }

    /** Logs each of the first addresses once. */
    readonly seen = (address: string): void => {
        if (!this.#seenAt.has(address)) {
            if (this.#seenAt.size === maxAddresses) {
                return;
            }
            this.#logger.error(describe(address));
        }
        this.#seenAt.set(address, this.#clock());
    };

    /** One problem for each address of the last hour. */
    problems(): string[] {
        const since = this.#clock() - shownMs;
        return [...this.#seenAt].filter(([, at]) => at > since).map(([address]) => describe(address));
    }
}

function describe(address: string): string {
    const shown = address.replace(/^::ffff:/i, "");
    return (
        `Requests from ${shown} name their clients in X-Forwarded-For, but the service does not trust ${shown}, so all ` +
        "its clients count as one. If this is your proxy, set its address or network with --trusted-proxy " +
        "(trustedProxies in the chart). Otherwise, ignore this message."
    );
}
