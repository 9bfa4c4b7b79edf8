import type { InputsOf } from "../engine/resource-inputs.js";
import type { mirrorInputs } from "./check.js";

export type MirrorInputs = InputsOf<typeof mirrorInputs>;

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
