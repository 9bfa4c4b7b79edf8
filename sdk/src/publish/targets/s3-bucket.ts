import type { S3Client } from "@aws-sdk/client-s3";
import { secretsOfClient } from "@pulumi-static-export/contract";
import { againAfterConflict, createBucketClient, type ReachedBucket } from "@pulumi-static-export/contract/bucket";
import { installationOf, orMissing } from "@pulumi-static-export/contract/missing-package";
import { PublishError } from "../errors/publish-error.js";
import { type Advise, StorageError } from "../errors/storage-error.js";

export interface BucketCredentials {
    accessKeyId: string;
    secretAccessKey: string;
    sessionToken?: string;
}

export type Sdk = Awaited<ReturnType<typeof loadAwsSdk>>;

interface BucketSettings extends NonNullable<Parameters<typeof createBucketClient>[2]> {
    /** @default the advice for publishing */
    readonly advise?: Advise;
}

/**
 * A bucket in any S3-compatible storage. Every failure is a {@link StorageError} that names the place and the
 * operation.
 */
export class S3Bucket {
    private constructor(
        readonly sdk: Sdk,
        readonly client: S3Client,
        readonly name: string,
        private readonly advise: Advise | undefined,
    ) {}

    /** Makes no request. */
    static async open(sdk: Sdk, location: ReachedBucket, { advise, ...settings }: BucketSettings): Promise<S3Bucket> {
        return new S3Bucket(sdk, await createBucketClient(sdk, location, settings), location.bucket, advise);
    }

    close(): void {
        this.client.destroy();
    }

    object(key: string): { Bucket: string; Key: string } {
        return { Bucket: this.name, Key: key };
    }

    /** @param place - for messages @param operation - the storage's name for it, such as `PutObject` */
    async call<T>(place: string, operation: string, send: () => Promise<T>): Promise<T> {
        try {
            return await againAfterConflict(send);
        } catch (error) {
            // Who aborts a call knows the reason.
            if (error instanceof PublishError || (error as Error).name === "AbortError") {
                throw error;
            }
            throw await this.failure(place, operation, error);
        }
    }

    async failure(place: string, operation: string, error: unknown): Promise<StorageError> {
        return new StorageError(place, operation, error, await secretsOfClient(this.client, error), this.advise);
    }
}

/**
 * Imports the SDK on demand, so that other users neither install nor load it.
 * @throws PublishError if it is not installed
 */
export async function loadAwsSdk() {
    return orMissing(
        import("@aws-sdk/client-s3"),
        () =>
            new PublishError(
                `A bucket needs the AWS SDK, which is not installed: run ${installationOf(["@aws-sdk/client-s3"])}.`,
            ),
    );
}
