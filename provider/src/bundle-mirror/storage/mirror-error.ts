import { describeStorageFailure } from "@pulumi-static-export/contract";

/** A request to the storage failed. Contains no credentials, because it drops the SDK's error and its request. */
export class MirrorError extends Error {
    override readonly name = "MirrorError";

    /** @param operation - the S3 operation, such as `PutObject` */
    constructor(subject: string, operation: string, error: unknown, secrets: readonly string[]) {
        const { code, status, reason } = describeStorageFailure(error, secrets);
        super(`${subject}: ${operation} failed (${reason}). ${advise(code, status)}`);
    }
}

/** The AWS SDK is not installed. It is an optional peer dependency, because only mirrors need it. */
export class MissingAwsSdkError extends Error {
    override readonly name = "MissingAwsSdkError";

    constructor() {
        super(
            "BundleMirror needs the AWS SDK, which is not installed. Run `npm install @aws-sdk/client-s3 " +
                "@aws-sdk/s3-request-presigner` in the folder of your Pulumi program.",
        );
    }
}

const credentials =
    "Set them with `pulumi config set --secret static-export:mirrorAccessKeyId` and `…:mirrorSecretAccessKey`, in " +
    "the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY), or assign a role to this machine.";

const permissions =
    "Allow these credentials s3:GetObject, s3:PutObject and s3:AbortMultipartUpload on the objects, s3:ListBucket and " +
    "s3:ListBucketMultipartUploads on the bucket, and s3:DeleteObject if deleteOnRemoval or keep is set.";

/** Advice by the error name of the storage or the error code of the operating system. */
const advice: Readonly<Record<string, string>> = {
    NoSuchBucket: "Create the bucket first, and check bucket, region and endpoint.",
    InvalidAccessKeyId: `The storage does not know these credentials. ${credentials}`,
    SignatureDoesNotMatch: `The secret key does not belong to the access key. ${credentials}`,
    ExpiredToken: `The temporary credentials have expired. ${credentials}`,
    CredentialsProviderError: `No credentials were found. ${credentials}`,
    RequestTimeTooSkewed: "Set the clock of this machine.",
    PermanentRedirect: "Set region to the region of the bucket.",
    AuthorizationHeaderMalformed: "Set region to the region of the bucket.",
    ECONNREFUSED: "Check endpoint, and that the storage is running.",
    ENOTFOUND: "Check endpoint and DNS. Self-hosted storage usually needs pathStyle: true.",
};

/** For responses to HEAD, which have no body. S3 also answers 403 for a missing object that may not be listed. */
const adviceByStatus: Readonly<Record<number, string>> = {
    301: "Set region to the region of the bucket.",
    403: `${permissions} The keys may also be wrong: the response has no body that names the cause.`,
};

function advise(name: string, status: number | undefined): string {
    const known = advice[name] ?? adviceByStatus[status ?? 0];
    if (known !== undefined) {
        return known;
    }
    const mayPass = status === undefined || status >= 500;
    return mayPass ? "Try again later: nothing was left behind." : "Check bucket and endpoint.";
}
