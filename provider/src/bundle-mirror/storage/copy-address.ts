/** The location of a mirror's copy, and how to access the storage. */
export interface CopyLocation {
    jobId: string;
    pin?: string;
    bucket: string;
    prefix?: string;
    endpoint?: string;
    region?: string;
    pathStyle?: boolean;
    encryption?: string;
}

export const defaultPrefix = "static-exports/";

/** Returns the job whose bundle is copied and served. */
export function servedJob({ jobId, pin }: Pick<CopyLocation, "jobId" | "pin">): string {
    return pin ?? jobId;
}

/** Returns the object key of a job's bundle, which does not depend on the link. */
export function keyOf({ prefix = defaultPrefix, ...job }: Pick<CopyLocation, "prefix" | "jobId" | "pin">): string {
    return `${prefix}${servedJob(job)}.tar.gz`;
}

/** `s3://bucket/key`, for messages. */
export function addressOf(location: Pick<CopyLocation, "bucket" | "prefix" | "jobId" | "pin">): string {
    return `s3://${location.bucket}/${keyOf(location)}`;
}
