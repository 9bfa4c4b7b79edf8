import { createHash, timingSafeEqual } from "node:crypto";
import { type ServiceLogger } from "../shared/logger.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";

/** Shorter keys can be guessed. */
const minCharacters = 16;
/** How often the keys are read again. */
const freshMs = 5000;

interface OperatorKeysOptions {
    /** Returns the keys, one per line. */
    read: () => string;
    logger: ServiceLogger;
    /** Milliseconds since an arbitrary moment. @default performance.now */
    elapsedMs?: () => number;
}

/**
 * The service's own keys, which may do everything. There are several while one replaces another. They are read again
 * while requests arrive, so that a changed file needs no restart.
 */
export class OperatorKeys {
    readonly #options: OperatorKeysOptions;
    readonly #elapsedMs: () => number;
    #digests: readonly Buffer[];
    #readAt: number;
    #failure: string | undefined;

    /** @throws ServiceOptionsError, or the reader's error */
    constructor(options: OperatorKeysOptions) {
        this.#options = options;
        this.#elapsedMs = options.elapsedMs ?? (() => performance.now());
        this.#digests = parseAdminApiKeys(options.read()).map(digest);
        this.#readAt = this.#elapsedMs();
    }

    /** Identifies a key without showing it; undefined for an unknown key. Takes the same time for every unknown key. */
    idOf(key: string): string | undefined {
        const given = digest(key);
        const found = this.#current().filter((each) => timingSafeEqual(each, given));
        return found[0] && idOf(found[0]);
    }

    /** The id of the first key. */
    get firstId(): string {
        return idOf(this.#current()[0]!);
    }

    /** Whether the key with this id is still valid. */
    isValid(id: string): boolean {
        return this.#current().some((each) => idOf(each) === id);
    }

    #current(): readonly Buffer[] {
        if (this.#elapsedMs() - this.#readAt >= freshMs) {
            this.#readAt = this.#elapsedMs();
            this.#readAgain();
        }
        return this.#digests;
    }

    #readAgain(): void {
        const { read, logger } = this.#options;
        try {
            const digests = parseAdminApiKeys(read()).map(digest);
            if (digests.map(idOf).join() !== this.#digests.map(idOf).join()) {
                this.#digests = digests;
                logger.info(
                    `The service's own key has changed: ${digests.length === 1 ? "one is" : `${digests.length} are`} valid.`,
                );
            }
            this.#failure = undefined;
        } catch (error) {
            const { message } = error as Error;
            if (message !== this.#failure) {
                this.#failure = message;
                logger.error(`The service's own key has not changed: ${message}`);
            }
        }
    }
}

/** @throws ServiceOptionsError */
export function parseAdminApiKeys(text: string): string[] {
    const keys = text.split(/\r?\n/).filter((line) => line !== "");
    if (keys.length === 0) {
        throw new ServiceOptionsError("The admin API key is empty.");
    }
    if (keys.some((key) => /\s/.test(key))) {
        throw new ServiceOptionsError("The admin API key must not contain white space.");
    }
    if (keys.some((key) => key.length < minCharacters)) {
        throw new ServiceOptionsError(
            `The admin API key must have at least ${minCharacters} characters: create one with openssl rand -hex 32.`,
        );
    }
    return keys;
}

function digest(key: string): Buffer {
    return createHash("sha256").update(`operator ${key}`).digest();
}

function idOf(keyDigest: Buffer): string {
    return keyDigest.toString("base64url").slice(0, 22);
}
