/** Why the service cannot use the credentials of its bucket, or undefined. */
export function findCredentialsProblem(bucket: {
    accessKeyId?: unknown;
    secretAccessKey?: unknown;
}): string | undefined {
    return (bucket.accessKeyId === undefined) === (bucket.secretAccessKey === undefined)
        ? undefined
        : "bucket.accessKeyId and bucket.secretAccessKey belong together: set both, or neither for the role of the pods";
}
