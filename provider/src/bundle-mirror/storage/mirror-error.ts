import { describeStorageFailure } from "@pulumi-static-export/contract";
import { createS3Advice } from "@pulumi-static-export/sdk/publish";

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

const advise = createS3Advice({
    credentials:
        "Set them with `pulumi config set --secret static-export:mirrorAccessKeyId` and `…:mirrorSecretAccessKey`, in " +
        "the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY), or assign a role to this machine.",
    permissions:
        "Allow these credentials s3:GetObject and s3:PutObject on the objects, s3:ListBucket on the bucket, and " +
        "s3:DeleteObject if deleteOnRemoval or keep is set.",
    again: "Try again later: nothing was left behind.",
});
