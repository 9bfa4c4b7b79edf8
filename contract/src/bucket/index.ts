import { createProxyAgent } from "../proxy/index.js";

export { isNotImplemented, ObjectRemoval } from "./object-removal.js";

/** A bucket in any S3-compatible storage, and how to access it. */
export interface ReachedBucket {
    readonly bucket: string;
    /** Undefined for AWS. */
    readonly endpoint?: string | undefined;
    /** @default AWS_REGION, AWS_DEFAULT_REGION, or us-east-1 */
    readonly region?: string | undefined;
    /**
     * @default true with an endpoint, because host names per bucket need DNS records that self-hosted storage rarely
     * has
     */
    readonly pathStyle?: boolean | undefined;
}

/** In milliseconds. */
interface BucketTimeouts {
    readonly connectionTimeout: number;
    /** The time after which a connection without traffic fails. */
    readonly socketTimeout: number;
    /** Timeout for a whole request. */
    readonly requestTimeout?: number;
    readonly throwOnRequestTimeout?: boolean;
}

/** Timeouts for uploads of large files over a slow connection. */
const patient: BucketTimeouts = {
    connectionTimeout: 10_000,
    socketTimeout: 120_000,
    requestTimeout: 600_000,
    throwOnRequestTimeout: true,
};

/**
 * Returns the settings of the AWS SDK's S3 client for a bucket, without credentials. Uses HTTPS_PROXY and related
 * variables.
 *
 * @throws ProxySettingError
 */
export async function bucketClientSettings(
    { bucket, endpoint, region: given, pathStyle = endpoint !== undefined }: ReachedBucket,
    timeouts: BucketTimeouts = patient,
) {
    const region = given ?? process.env["AWS_REGION"] ?? process.env["AWS_DEFAULT_REGION"] ?? "us-east-1";
    const agent = await createProxyAgent(endpoint ?? `https://${bucket}.s3.${region}.amazonaws.com`);
    return {
        region,
        forcePathStyle: pathStyle,
        ...(endpoint === undefined ? {} : { endpoint }),
        // Some S3-compatible servers reject the SDK's checksums. Callers check a SHA-256 instead.
        requestChecksumCalculation: "WHEN_REQUIRED" as const,
        responseChecksumValidation: "WHEN_REQUIRED" as const,
        requestHandler: {
            ...(agent === undefined ? {} : { httpAgent: agent, httpsAgent: agent }),
            ...timeouts,
        },
    };
}
