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

/** The parts of an AWS SDK request that the signature depends on. */
interface SdkRequest {
    protocol: string;
    headers: Record<string, string>;
}

/**
 * Middleware of the AWS SDK that excludes the content from the signature of a request over TLS, which already protects
 * it. The AWS CLI also excludes the content from the signature. Without the middleware, the SDK and the storage would
 * compute another digest of all bytes. Over plain HTTP, the content is signed.
 */
export function signWithoutContent<Call extends { request: unknown }, Answer>(
    next: (call: Call) => Promise<Answer>,
): (call: Call) => Promise<Answer> {
    return (call) => {
        const { protocol, headers } = call.request as SdkRequest;
        if (protocol === "https:") {
            headers["x-amz-content-sha256"] = "UNSIGNED-PAYLOAD";
        }
        return next(call);
    };
}
