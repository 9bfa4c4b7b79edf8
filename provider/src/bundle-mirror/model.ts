import type { CopyLocation } from "./storage/copy-address.js";

/** The resolved inputs of the program. During a preview, values may be unknown: see ../engine/unknown-value.ts. */
export interface MirrorInputs extends CopyLocation {
    publicUrl?: string;
    urlExpirySeconds?: number;
    deleteOnRemoval?: boolean;
    keep?: number;
    timeoutSeconds?: number;
    /** The serialised provider, added by Pulumi. */
    __provider?: string;
}

/** The jobs of the copies that a mirror made before the served copy, newest first. */
export interface EarlierJobs {
    /** The copies that stay, at most `keep`. */
    earlierJobIds?: string[];
    /**
     * The copies to remove after a successful rollout. Copies stay in this list for a while, because a removal may
     * fail.
     */
    surplusJobIds?: string[];
}

/** The state: the inputs and outputs of the last change, without credentials. */
export interface MirrorState extends MirrorInputs, EarlierJobs {
    key: string;
    url: string;
    /** RFC 3339; absent for a public URL. */
    urlExpiresAt?: string;
    /** RFC 3339: an update after this time signs the URL again. Absent for a public URL. */
    urlRenewAt?: string;
    sha256: string;
    sizeBytes: number;
}

/** The maximum of AWS Signature Version 4: 7 days. */
export const maxUrlExpirySeconds = 7 * 24 * 3600;
