import { randomBytes } from "node:crypto";
import { type ServiceDatabase } from "../database/database.js";

/** How often a process reads the secrets, so that it signs with the newest one. */
const readMs = 5000;
/** A flood of forged links makes a process read the secrets at most this often. */
const minReadMs = 1000;
const byteCount = 32;

/**
 * The secrets that sign links to bundles and sessions of people. All processes with the same jobs share them: one
 * signs, and after a rotation the earlier ones are accepted for a while.
 */
export class LinkSecrets {
    readonly #database: ServiceDatabase;
    readonly #clock: () => number;
    readonly #elapsedMs: () => number;
    #secrets: readonly { value: string; validUntil: number | null }[] = [];
    #readAt = -Infinity;
    /** The newest read. */
    #reading: Promise<void> | undefined;
    #timer: NodeJS.Timeout | undefined;

    /** @param elapsedMs - milliseconds since an arbitrary moment @default performance.now */
    constructor(database: ServiceDatabase, clock: () => number, elapsedMs = () => performance.now()) {
        this.#database = database;
        this.#clock = clock;
        this.#elapsedMs = elapsedMs;
    }

    /** Reads the secrets, or creates the first one, and reads them again from time to time until `stop`. */
    async start(): Promise<void> {
        // A database that is away now is read again later.
        this.#timer ??= setInterval(() => void this.#read().catch(() => undefined), readMs).unref();
        await this.#database.run("INSERT INTO secrets (name, value) VALUES ('links', :value) ON CONFLICT DO NOTHING", {
            value: randomBytes(byteCount).toString("hex"),
        });
        await this.#read();
    }

    stop(): void {
        clearInterval(this.#timer);
    }

    /** The secret that signs. @throws before `start` has resolved */
    get current(): string {
        const current = this.#secrets.find(({ validUntil }) => validUntil === null);
        if (current === undefined) {
            throw new Error("The secrets for links have not been read yet: call listen first.");
        }
        return current.value;
    }

    /** Whether one of the valid secrets passes the check. Another process may have rotated them a moment ago. */
    async accepts(check: (secret: string) => boolean): Promise<boolean> {
        if (this.#valid().some(check)) {
            return true;
        }
        // Another request may have begun to read them.
        await (this.#elapsedMs() - this.#readAt < minReadMs ? this.#reading : this.#read());
        return this.#valid().some(check);
    }

    /** Signs with a new secret from now on. @returns until when the earlier secret is accepted */
    async rotate(graceMs: number): Promise<Date> {
        const now = this.#clock();
        const validUntil = now + graceMs;
        await this.#database.transaction(async (transaction) => {
            await transaction.run("DELETE FROM secrets WHERE valid_until <= :now", { now });
            await transaction.run(
                `INSERT INTO secrets (name, value, valid_until)
                 SELECT :name, value, :validUntil FROM secrets WHERE name = 'links'`,
                { name: `links before ${randomBytes(8).toString("hex")}`, validUntil },
            );
            await transaction.run(`UPDATE secrets SET valid_until = :validUntil WHERE valid_until > :validUntil`, {
                validUntil,
            });
            await transaction.run("UPDATE secrets SET value = :value WHERE name = 'links'", {
                value: randomBytes(byteCount).toString("hex"),
            });
        }, "secrets");
        await this.#read();
        return new Date(validUntil);
    }

    #read(): Promise<void> {
        this.#readAt = this.#elapsedMs();
        this.#reading = this.#database
            .all<{ value: string; valid_until: number | null }>(
                "SELECT value, valid_until FROM secrets WHERE name LIKE 'links%'",
            )
            .then((rows) => {
                this.#secrets = rows.map(({ value, valid_until: validUntil }) => ({ value, validUntil }));
            });
        return this.#reading;
    }

    #valid(): string[] {
        const now = this.#clock();
        return this.#secrets
            .filter(({ validUntil }) => validUntil === null || validUntil > now)
            .map(({ value }) => value);
    }
}
