import { orMissing } from "@pulumi-static-export/contract/missing-package";
import { MissingAwsSdkError } from "./mirror-error.js";

/**
 * Loads the packages of the AWS SDK when the first mirror needs them. Programs without a mirror neither install nor
 * load them.
 * @throws MissingAwsSdkError
 */
export async function loadAwsSdk() {
    const loading = Promise.all([import("@aws-sdk/client-s3"), import("@aws-sdk/s3-request-presigner")]);
    const [s3, { getSignedUrl }] = await orMissing(loading, () => new MissingAwsSdkError());
    return { s3, getSignedUrl };
}

export type AwsSdk = Awaited<ReturnType<typeof loadAwsSdk>>;
