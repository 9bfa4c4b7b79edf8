/** What the program declared, resolved. During a preview a value may be unknown (see ../unknown-value.ts). */
export interface MirrorInputs {
    jobId: string;
    bucket: string;
    prefix?: string;
    endpoint?: string;
    region?: string;
    pathStyle?: boolean;
    publicUrl?: string;
    urlExpirySeconds?: number;
    deleteOnRemoval?: boolean;
    timeoutSeconds?: number;
    /** The serialised provider, which Pulumi adds. */
    __provider?: string;
}

/** What Pulumi stores: the inputs of the last change and what it yielded. No credentials. */
export interface MirrorState extends MirrorInputs {
    key: string;
    url: string;
    /** RFC 3339; absent for a public address. */
    urlExpiresAt?: string;
    /** RFC 3339: from then on the link is presigned anew. Absent for a public address. */
    urlRenewAt?: string;
    sha256: string;
    sizeBytes: number;
}

export const defaultPrefix = "static-exports/";
/** The longest that signature version 4 allows: 7 days. */
export const longestUrlExpirySeconds = 7 * 24 * 3600;
export const defaultTimeoutSeconds = 3600;

/** Where a job's bundle lies in the bucket: the same for the same job, whatever its link. */
export function keyOf({ prefix = defaultPrefix, jobId }: Pick<MirrorInputs, "prefix" | "jobId">): string {
    return `${prefix}${jobId}.tar.gz`;
}

/** `s3://bucket/key`, for messages. */
export function addressOf(inputs: MirrorInputs): string {
    return `s3://${inputs.bucket}/${keyOf(inputs)}`;
}
