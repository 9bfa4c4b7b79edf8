import { type ServiceLogger } from "../shared/logger.js";
import { type ServiceDatabase } from "./database.js";

const syncMs = 60_000;
/** Smaller differences are corrected, too, but harm nobody. */
const maxOffsetMs = 60_000;
/** A request takes some of it, and time must not go backwards with each reading. */
const ignoredMs = 1000;

/**
 * The time of a shared database, so that a machine whose clock is wrong decides nothing. Without a shared database, the
 * time of this machine.
 */
export class DatabaseClock {
    readonly #database: Pick<ServiceDatabase, "now">;
    readonly #clock: () => number;
    readonly #logger: ServiceLogger;
    #offsetMs = 0;
    #timer: NodeJS.Timeout | undefined;

    constructor(database: Pick<ServiceDatabase, "now">, clock: () => number, logger: ServiceLogger) {
        this.#database = database;
        this.#clock = clock;
        this.#logger = logger;
    }

    /** Milliseconds since 1970. */
    readonly now = (): number => this.#clock() + this.#offsetMs;

    /** How far the database's clock is ahead of this machine's. */
    get offsetMs(): number {
        return this.#offsetMs;
    }

    /** Why this machine's clock is too wrong to sign requests or to remove anything; undefined if it is right. */
    get problem(): string | undefined {
        const seconds = Math.round(this.#offsetMs / 1000);
        return Math.abs(this.#offsetMs) <= maxOffsetMs
            ? undefined
            : `the clock of this machine is ${Math.abs(seconds)} s ${seconds > 0 ? "behind" : "ahead of"} the database's`;
    }

    /** Reads the database's time now, and then every minute. */
    async start(): Promise<void> {
        this.#timer ??= setInterval(() => void this.sync().catch(() => undefined), syncMs).unref();
        await this.sync();
    }

    stop(): void {
        clearInterval(this.#timer);
    }

    /** Reads the database's time. @throws if the database cannot be reached */
    async sync(): Promise<void> {
        if (this.#database.now === undefined) {
            return;
        }
        const before = this.#clock();
        const now = await this.#database.now();
        const offsetMs = Math.round(now - (before + this.#clock()) / 2);
        const earlier = this.problem;
        this.#offsetMs = Math.abs(offsetMs) < ignoredMs ? 0 : offsetMs;
        if (this.problem !== undefined && earlier === undefined) {
            this.#logger.error(
                `This process is not ready, and does not remove old data: ${this.problem}. Jobs use the database's time.`,
            );
        }
    }
}
