import { createHmac, timingSafeEqual } from "node:crypto";

export type LinkVerdict = "valid" | "expired" | "forged";

/**
 * Presigned links to bundles. Expiry and signature stand in the query, so that a link's address without its query stays
 * the same for the same job however often it is renewed.
 */
export class BundleLinks {
    readonly #secret: string;
    readonly #clock: () => number;

    constructor(secret: string, clock: () => number) {
        this.#secret = secret;
        this.#clock = clock;
    }

    /** Path and query of a link that works until `expiresAt`; whole seconds, the rest is dropped. */
    create(jobId: string, expiresAt: Date): string {
        const expires = String(Math.floor(expiresAt.getTime() / 1000));
        return `/bundles/${jobId}.tar.gz?expires=${expires}&signature=${this.#sign(jobId, expires)}`;
    }

    /** The signature is judged first: only a link that we made is told that it has expired. */
    verify(jobId: string, expires: unknown, signature: unknown): LinkVerdict {
        if (typeof expires !== "string" || typeof signature !== "string") {
            return "forged";
        }
        const expected = Buffer.from(this.#sign(jobId, expires));
        const given = Buffer.from(signature);
        if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
            return "forged";
        }
        return this.#clock() < Number(expires) * 1000 ? "valid" : "expired";
    }

    #sign(jobId: string, expires: string): string {
        return createHmac("sha256", this.#secret).update(`bundle\n${jobId}\n${expires}`).digest("base64url");
    }
}
