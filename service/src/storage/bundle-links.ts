import { createHmac } from "node:crypto";
import { type LinkSecrets } from "../keys/link-secrets.js";
import { areEqualSecrets } from "../shared/equal-secrets.js";

type LinkVerdict = "valid" | "expired" | "forged";

/**
 * Presigned links to bundles. Expiry and signature are in the query, so a job's link without its query never changes.
 */
export class BundleLinks {
    readonly #secrets: Pick<LinkSecrets, "current" | "accepts">;
    readonly #clock: () => number;

    constructor(secrets: Pick<LinkSecrets, "current" | "accepts">, clock: () => number) {
        this.#secrets = secrets;
        this.#clock = clock;
    }

    /** Path and query of a link that expires at `expiresAt`, rounded down to seconds. */
    create(jobId: string, expiresAt: Date): string {
        const expires = String(Math.floor(expiresAt.getTime() / 1000));
        return `/bundles/${jobId}.tar.gz?expires=${expires}&signature=${sign(this.#secrets.current, jobId, expires)}`;
    }

    /** Checks the signature first: only a link that we issued can be reported as expired. */
    async verify(jobId: string, expires: unknown, signature: unknown): Promise<LinkVerdict> {
        if (typeof expires !== "string" || typeof signature !== "string") {
            return "forged";
        }
        const isOurs = await this.#secrets.accepts((secret) =>
            areEqualSecrets(signature, sign(secret, jobId, expires)),
        );
        if (!isOurs) {
            return "forged";
        }
        return this.#clock() < Number(expires) * 1000 ? "valid" : "expired";
    }
}

function sign(secret: string, jobId: string, expires: string): string {
    return createHmac("sha256", secret).update(`bundle\n${jobId}\n${expires}`).digest("base64url");
}
