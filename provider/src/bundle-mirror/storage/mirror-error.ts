/** The storage, or the way to it, failed. Holds no credentials: neither the SDK's error nor its request is kept. */
export class MirrorError extends Error {
    override readonly name = "MirrorError";

    /** @param operation - the S3 operation, such as `PutObject` */
    constructor(subject: string, operation: string, error: unknown) {
        const { name, message, status, code } = describe(error);
        const reason = [code ?? name, status === undefined ? undefined : `HTTP ${status}`, message]
            // The SDK's words for an answer without a body.
            .filter((part) => part !== undefined && !/^(Unknown(Error)?)?$/.test(part))
            .join(", ");
        super(`${subject}: ${operation} failed (${reason}). ${advise(code ?? name, status)}`);
    }
}

/** The AWS SDK is not installed: it is an optional peer, because only mirrors need it. */
export class MissingAwsSdkError extends Error {
    override readonly name = "MissingAwsSdkError";

    constructor() {
        super(
            "BundleMirror needs the AWS SDK, which is not installed. Run `npm install @aws-sdk/client-s3 " +
                "@aws-sdk/s3-request-presigner` in the folder of your Pulumi program.",
        );
    }
}

interface Described {
    name: string;
    message: string;
    status: number | undefined;
    /** The system's code, such as `ECONNREFUSED`. */
    code: string | undefined;
}

function describe(error: unknown): Described {
    if (!(error instanceof Error)) {
        return { name: "Error", message: String(error), status: undefined, code: undefined };
    }
    const { $metadata, code } = error as Error & { $metadata?: { httpStatusCode?: number }; code?: unknown };
    return {
        name: error.name,
        message: error.message,
        status: $metadata?.httpStatusCode,
        code: typeof code === "string" ? code : undefined,
    };
}

const credentials =
    "Set them with `pulumi config set --secret static-export:mirrorAccessKeyId` and `…:mirrorSecretAccessKey`, in " +
    "the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY), or give this machine a role.";

const permissions =
    "Allow these credentials s3:GetObject, s3:PutObject and s3:AbortMultipartUpload on the objects, s3:ListBucket and " +
    "s3:ListBucketMultipartUploads on the bucket, and s3:DeleteObject where deleteOnRemoval is set.";

/** By the storage's or the system's name of the error. */
const advice: Readonly<Record<string, string>> = {
    NoSuchBucket: "Create the bucket first, and check bucket, region and endpoint.",
    InvalidAccessKeyId: `The storage does not know these credentials. ${credentials}`,
    SignatureDoesNotMatch: `The secret does not belong to the access key. ${credentials}`,
    ExpiredToken: `The temporary credentials have expired. ${credentials}`,
    CredentialsProviderError: `No credentials were found. ${credentials}`,
    RequestTimeTooSkewed: "Set the clock of this machine.",
    PermanentRedirect: "Set region to the region of the bucket.",
    AuthorizationHeaderMalformed: "Set region to the region of the bucket.",
    ECONNREFUSED: "Check endpoint, and that the storage is running.",
    ENOTFOUND: "Check endpoint and DNS. Storage of your own mostly needs pathStyle: true.",
};

/** The answer to a HEAD has no body, and so no name: also when the key is only missing and may not be listed. */
const adviceByStatus: Readonly<Record<number, string>> = {
    301: "Set region to the region of the bucket.",
    403: `${permissions} Or the keys are wrong: a request without a body says no more.`,
};

function advise(name: string, status: number | undefined): string {
    const known = advice[name] ?? adviceByStatus[status ?? 0];
    if (known !== undefined) {
        return known;
    }
    const mayPass = status === undefined || status >= 500;
    return mayPass ? "Try again later: nothing was left behind." : "Check bucket and endpoint.";
}
