import { createHash } from "node:crypto";
import { validateHeaderValue } from "node:http";
import type { S3Client, S3ClientConfig } from "@aws-sdk/client-s3";
import { createAwsAgents } from "../proxy/index.js";

export { againAfterConflict, putFile } from "./put-file.js";
export { isNotImplemented, ObjectRemoval, type RefusedObjects } from "./object-removal.js";

/** The name of a bucket or the ARN of an access point: the storage decides which names it allows. */
export const bucketName = /^([\w.-]+|arn:[\w-]+:s3[\w-]*:[\w-]*:[\w-]*:accesspoint\/[\w.-]+)$/;

/** A bucket in any S3-compatible storage, and how to access it. */
export interface ReachedBucket {
    readonly bucket: string;
    /** @default AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, or AWS */
    readonly endpoint?: string | undefined;
    /** @default AWS_REGION, AWS_DEFAULT_REGION, the region of the AWS profile, or us-east-1 */
    readonly region?: string | undefined;
    /**
     * @default true with an endpoint, because host names per bucket need DNS records that self-hosted storage rarely
     * has
     */
    readonly pathStyle?: boolean | undefined;
    /** How the storage encrypts new objects: `AES256`, `aws:kms`, or the id or ARN of a key. @default as it is set up */
    readonly encryption?: string | undefined;
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
 * Creates a client of the AWS SDK for a bucket. Uses HTTPS_PROXY and related variables, and AWS_CA_BUNDLE. Sends no
 * request.
 *
 * @throws ProxySettingError
 */
export async function createBucketClient(
    { S3Client: Client }: { S3Client: new (settings: S3ClientConfig) => S3Client },
    { bucket, endpoint: given, region: givenRegion, pathStyle, encryption }: ReachedBucket,
    { timeouts = patient, ...settings }: S3ClientConfig & { timeouts?: BucketTimeouts } = {},
): Promise<S3Client> {
    const { env } = process;
    const ignoresEnvironment = env["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] === "true";
    const endpoint =
        given ?? ((ignoresEnvironment ? "" : env["AWS_ENDPOINT_URL_S3"] || env["AWS_ENDPOINT_URL"]) || undefined);
    const region = givenRegion ?? (await findRegion(Client));
    // The name may be the ARN of an access point, which cannot be a part of a host name.
    const host = /^[\w.-]+$/.test(bucket) ? `${bucket}.s3.${region}` : `s3.${region}`;
    const agents = await createAwsAgents(endpoint ?? `https://${host}.amazonaws.com`);
    const client = new Client({
        region,
        forcePathStyle: pathStyle ?? endpoint !== undefined,
        ...(endpoint === undefined ? {} : { endpoint }),
        // Some S3-compatible servers reject the SDK's checksums, so by default requests have a Content-MD5 instead.
        ...(env["AWS_REQUEST_CHECKSUM_CALCULATION"] ? {} : { requestChecksumCalculation: "WHEN_REQUIRED" as const }),
        responseChecksumValidation: "WHEN_REQUIRED" as const,
        logger: silent,
        requestHandler: {
            ...agents,
            ...timeouts,
        },
        ...settings,
    });
    refuseWrongHeaders(client);
    addContentMd5(client);
    if (encryption !== undefined) {
        encryptWrites(client, encryption);
    }
    return client;
}

/**
 * Refuses headers that Node.js cannot send, for example with a line break in the access key. Otherwise the SDK's timer
 * for the request runs to its end, because the request was never created.
 */
function refuseWrongHeaders(client: S3Client): void {
    client.middlewareStack.add(
        (next) => (call) => {
            Object.entries((call.request as SdkRequest).headers).forEach(([name, value]) =>
                validateHeaderValue(name, value),
            );
            return next(call);
        },
        // After the signature, which contains the access key.
        { step: "deserialize", name: "refuseWrongHeaders" },
    );
}

const writes: ReadonlySet<string> = new Set(["PutObjectCommand", "CopyObjectCommand"]);

/** Adds the headers that the policies of some buckets demand of writes. */
function encryptWrites(client: S3Client, encryption: string): void {
    const isAlgorithm = encryption === "AES256" || encryption.startsWith("aws:kms");
    const headers = isAlgorithm
        ? { "x-amz-server-side-encryption": encryption }
        : {
              "x-amz-server-side-encryption": "aws:kms",
              "x-amz-server-side-encryption-aws-kms-key-id": encryption,
          };
    client.middlewareStack.add(
        (next, { commandName = "" }) =>
            (call) => {
                if (writes.has(commandName)) {
                    Object.assign((call.request as SdkRequest).headers, headers);
                }
                return next(call);
            },
        { step: "build", name: "encryptWrites" },
    );
}

/** Without a logger, the SDK writes its own warnings to the console. */
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {
    // Failures are thrown, and the caller logs them.
}

/** The region of the environment or of the AWS profile. */
async function findRegion(Client: new (settings: S3ClientConfig) => S3Client): Promise<string> {
    const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
    const named = AWS_REGION || AWS_DEFAULT_REGION;
    if (named) {
        return named;
    }
    const client = new Client({});
    try {
        return await client.config.region();
    } catch {
        return "us-east-1";
    } finally {
        client.destroy();
    }
}

/** The parts of a request of the AWS SDK that its middleware changes. */
interface SdkRequest {
    readonly headers: Record<string, string>;
    readonly body?: unknown;
}

/**
 * Adds a Content-MD5 to requests with content in memory: every S3-compatible storage knows this checksum, and older
 * ones (MinIO before 2025) and buckets with Object Lock demand a checksum. AWS documents this middleware:
 * https://github.com/aws/aws-sdk-js-v3/blob/main/supplemental-docs/MD5_FALLBACK.md
 */
function addContentMd5(client: S3Client): void {
    client.middlewareStack.add(
        (next, { commandName }) =>
            (call) => {
                const { headers, body } = call.request as SdkRequest;
                const checksums = Object.keys(headers).filter((name) => /^x-amz-(checksum|sdk-checksum)-/i.test(name));
                const isWanted = checksums.length === 0 || commandName === "DeleteObjectsCommand";
                const isInMemory = typeof body === "string" || body instanceof Uint8Array;
                const md5 = isWanted && isInMemory ? md5Of(body) : undefined;
                if (md5 !== undefined && headers["content-md5"] === undefined) {
                    checksums.forEach((name) => delete headers[name]);
                    headers["content-md5"] = md5;
                }
                return next(call);
            },
        { step: "build", priority: "low", name: "addContentMd5" },
    );
}

/** Undefined where Node.js has no MD5, as in FIPS mode. */
function md5Of(content: string | Uint8Array): string | undefined {
    try {
        return createHash("md5").update(content).digest("base64");
    } catch {
        return undefined;
    }
}
