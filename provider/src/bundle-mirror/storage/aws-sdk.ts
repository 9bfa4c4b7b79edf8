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
