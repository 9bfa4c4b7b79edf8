import type { StartClaim } from "../engine/journal/entries.js";
import { deriveStartKey, type StartIntent } from "../start-keys/start-key.js";

/**
 * The keys that a start tries in turn. If the job of a key cannot be used, the next key is derived from the jobs
 * refused so far, so that every machine with the same intent tries the same keys.
 */
export class KeyChain {
    readonly #intent: StartIntent | undefined;
    readonly #refused: string[] = [];
    #current: string;
    #isRepetition: boolean;

    /** @param claim - contains the key of the repeated request, or a random key */
    constructor(intent: StartIntent | undefined, { idempotencyKey, isRepetition }: StartClaim) {
        this.#intent = intent;
        this.#isRepetition = isRepetition;
        this.#current = intent === undefined || isRepetition ? idempotencyKey : deriveStartKey(intent);
    }

    get current(): string {
        return this.#current;
    }

    /** Whether the claim's random key is the only key, because the resource or the pipeline's run is unknown. */
    get areRandom(): boolean {
        return this.#intent === undefined;
    }

    /** @throws if the platform returns the same job for different keys */
    refuse(jobId: string): void {
        if (this.#intent === undefined || this.#refused.includes(jobId)) {
            throw new Error(
                `The platform returns job ${jobId} for different Idempotency-Keys, so no job can be started.`,
            );
        }
        // The repeated request may have had another intent; its job then does not belong to this chain.
        if (!this.#isRepetition) {
            this.#refused.push(jobId);
        }
        this.#isRepetition = false;
        this.#current = deriveStartKey(this.#intent, this.#refused);
    }
}
