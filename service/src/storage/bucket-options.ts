import { findAddressFault, trimTrailing } from "@pulumi-static-export/contract";
import { bucketName } from "@pulumi-static-export/contract/bucket";
import { ServiceOptionsError } from "../shared/service-options-error.js";

/** Object storage for bundles. The AWS SDK finds the credentials. */
export interface BucketOptions {
    /** The bucket, and a folder in it: s3://name/prefix. */
    url: string;
    /** URL of any S3-compatible storage. @default the AWS endpoint of the region */
    endpoint?: string | undefined;
    /** URL at which clients reach the storage, if it differs from `endpoint`. */
    publicEndpoint?: string | undefined;
}

export interface BucketLocation {
    name: string;
    /** Empty, or ends with a slash. */
    prefix: string;
    endpoint: string | undefined;
    publicEndpoint: string | undefined;
}

/** A bucket, and a folder in it. The ARN of an access point contains a slash. */
const pattern = /^s3:\/\/((?:arn:[^/]*\/)?[^/]*)(?:\/((?:[\w~-][\w.~-]*\/)*[\w~-][\w.~-]*)?\/?)?$/;

/** @throws ServiceOptionsError */
export function resolveBucket({ url, endpoint, publicEndpoint }: BucketOptions): BucketLocation {
    const [, name = "", prefix] = pattern.exec(url) ?? [];
    if (!bucketName.test(name)) {
        throw new ServiceOptionsError(`The bucket "${url}" must be written as s3://name or s3://name/prefix.`);
    }
    return {
        name,
        prefix: prefix === undefined ? "" : `${prefix}/`,
        endpoint: resolveEndpoint(endpoint),
        publicEndpoint: resolveEndpoint(publicEndpoint),
    };
}

/**
 * Refuses storage with http behind a service with https, because clients do not follow redirects from https to http.
 *
 * @param publicUrl - the service's own address for clients, if it is configured
 * @throws ServiceOptionsError
 */
export function assertFollowed({ endpoint, publicEndpoint = endpoint }: BucketLocation, publicUrl = ""): void {
    if (publicUrl.startsWith("https:") && publicEndpoint?.startsWith("http:")) {
        throw new ServiceOptionsError(
            "Clients do not follow a link from an https service to storage over http: give the bucket a public " +
                "endpoint with https.",
        );
    }
}

/**
 * Validates the bucket's endpoint. The message does not show the address, because the address may contain a password.
 */
function resolveEndpoint(address: string | undefined): string | undefined {
    if (address === undefined) {
        return undefined;
    }
    if (findAddressFault(address) !== undefined) {
        throw new ServiceOptionsError(
            "The bucket's endpoint must be an http or https URL without a user, password, query or fragment, such as " +
                "https://storage.example.com.",
        );
    }
    return trimTrailing(new URL(address).href, "/");
}
