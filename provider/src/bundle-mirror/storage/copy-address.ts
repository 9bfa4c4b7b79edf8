/** Where a mirror keeps its copy, and how it reaches the storage. */
export interface CopyLocation {
    jobId: string;
    bucket: string;
    prefix?: string;
    endpoint?: string;
    region?: string;
    pathStyle?: boolean;
}

export const defaultPrefix = "static-exports/";

/** The object key of a job's bundle. It does not depend on the link. */
export function keyOf({ prefix = defaultPrefix, jobId }: Pick<CopyLocation, "prefix" | "jobId">): string {
    return `${prefix}${jobId}.tar.gz`;
}

/** `s3://bucket/key`, for messages. */
export function addressOf(location: Pick<CopyLocation, "bucket" | "prefix" | "jobId">): string {
    return `s3://${location.bucket}/${keyOf(location)}`;
}
