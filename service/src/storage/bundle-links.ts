import { createHmac, timingSafeEqual } from "node:crypto";

export type LinkVerdict = "valid" | "expired" | "forged";

/**
 * Presigned links to bundles. Expiry and signature are in the query, so a job's link without its query never changes.
 */
export class BundleLinks {
    #secret: string | undefined;
    readonly #clock: () => number;

    constructor(clock: () => number) {
        this.#clock = clock;
    }

    /** Sets the secret that signs links. Call this method before creating the first link. */
    useSecret(secret: string): void {
        this.#secret = secret;
    }

    /** Path and query of a link that expires at `expiresAt`, rounded down to seconds. */
    create(jobId: string, expiresAt: Date): string {
        const expires = String(Math.floor(expiresAt.getTime() / 1000));
        return `/bundles/${jobId}.tar.gz?expires=${expires}&signature=${this.#sign(jobId, expires)}`;
    }

    /** Checks the signature first: only a link that we issued can be reported as expired. */
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
        if (this.#secret === undefined) {
            throw new Error("The secret for bundle links is not read yet: call listen first.");
        }
        return createHmac("sha256", this.#secret).update(`bundle\n${jobId}\n${expires}`).digest("base64url");
    }
}
