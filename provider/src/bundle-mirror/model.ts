import type { InputsOf } from "../engine/resource-inputs.js";
import { input, output, type OutputsOf, secret } from "../engine/resource-outputs.js";
import type { mirrorInputs } from "./check.js";

export type MirrorInputs = InputsOf<typeof mirrorInputs>;

export const mirrorOutputs = {
    jobId: input<string>(),
    bucket: input<string>(),
    /** The object key of the copy. */
    key: output<string>(),
    /**
     * The copy's URL for the deployment, a secret. With `publicUrl`, each copy's URL stays the same. Otherwise, the first
     * `pulumi up` after half of the link's lifetime signs the link again, which does not roll the pods.
     */
    url: secret<string>(),
    /** When a presigned `url` expires, RFC 3339: at most 7 days after signing, earlier with temporary credentials. */
    urlExpiresAt: output<string | undefined>(),
    /** SHA-256 of the bundle in hexadecimal. */
    sha256: output<string>(),
    /** Size of the archive in bytes. */
    sizeBytes: output<number>(),
    /** The jobs whose copies stay in the bucket, newest first. Undefined without `keep`. */
    earlierJobIds: output<string[] | undefined>(),
};

/** The jobs of the copies that a mirror made before the served copy, newest first. */
export interface EarlierJobs extends Pick<OutputsOf<typeof mirrorOutputs>, "earlierJobIds"> {
    /**
     * The copies to remove after a successful rollout. Copies stay in this list for a while, because a removal may
     * fail.
     */
    surplusJobIds?: string[];
}

/** The state: the inputs and outputs of the last change, without credentials. */
export interface MirrorState extends MirrorInputs, EarlierJobs, OutputsOf<typeof mirrorOutputs> {
    /** RFC 3339: an update after this time signs the URL again. Absent for a public URL. */
    urlRenewAt?: string;
}
