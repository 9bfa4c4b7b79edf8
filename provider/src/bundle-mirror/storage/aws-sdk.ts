import { MissingAwsSdkError } from "./mirror-error.js";

/**
 * Loads the packages of the AWS SDK when the first mirror needs them. Programs without a mirror neither install nor
 * load them.
 * @throws MissingAwsSdkError
 */
export async function loadAwsSdk() {
    try {
        const [s3, { getSignedUrl }] = await Promise.all([
            import("@aws-sdk/client-s3"),
            import("@aws-sdk/s3-request-presigner"),
        ]);
        return { s3, getSignedUrl };
    } catch (error) {
        const { code } = error as { code?: unknown };
        throw code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND" ? new MissingAwsSdkError() : error;
    }
}

export type AwsSdk = Awaited<ReturnType<typeof loadAwsSdk>>;

/** A request of the AWS SDK, as far as a signature depends on it. */
interface SdkRequest {
    protocol: string;
    headers: Record<string, string>;
}

/**
 * Middleware of the AWS SDK that leaves the content out of the signature of a request over TLS, which protects it
 * already. The AWS CLI does the same. Without it, the SDK and the storage compute one more digest of every byte. Over
 * plain HTTP the content is signed.
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
