import type { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { secretsOfClient } from "@pulumi-static-export/contract";
import { createBucketClient, putFile } from "@pulumi-static-export/contract/bucket";
import { orMissing } from "@pulumi-static-export/contract/missing-package";
import { addCommand } from "@pulumi-static-export/contract/package-manager";
import { createS3Advice, StorageError } from "@pulumi-static-export/sdk/publish";
import { addressOf, type CopyLocation, servedJob } from "./copy-address.js";
import type { StorageCredentials } from "./storage-credentials.js";

/** Without a limit for a whole request: the mirror's own time limit ends the upload of a large archive. */
const timeouts = { connectionTimeout: 10_000, socketTimeout: 120_000 };

/** The storage's own names for something that does not exist. */
const absent: ReadonlySet<string> = new Set(["NoSuchKey", "NoSuchBucket"]);

const advise = createS3Advice({
    credentials:
        "Set them with `pulumi config set --secret static-export:mirrorAccessKeyId` and `…:mirrorSecretAccessKey`, in " +
        "the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY), or assign a role to this machine.",
    permissions:
        "Allow these credentials s3:GetObject and s3:PutObject on the objects, s3:ListBucket on the bucket, and " +
        "s3:DeleteObject if deleteOnRemoval or keep is set.",
    again: "Try again later: nothing was left behind.",
});

/** Loads the AWS SDK when the first mirror needs it. Programs without a mirror neither install nor load it. */
async function loadAwsSdk() {
    const loading = Promise.all([import("@aws-sdk/client-s3"), import("@aws-sdk/s3-request-presigner")]);
    const [s3, { getSignedUrl }] = await orMissing(
        loading,
        () =>
            new Error(
                "BundleMirror needs the AWS SDK, which is not installed. Run " +
                    `\`${addCommand(process.cwd(), ["@aws-sdk/client-s3", "@aws-sdk/s3-request-presigner"])}\` in the ` +
                    "folder of your Pulumi program.",
            ),
    );
    return { s3, getSignedUrl };
}

type AwsSdk = Awaited<ReturnType<typeof loadAwsSdk>>;

/** A value that identifies the content of a stored object. */
interface StoredObject {
    etag: string;
    sizeBytes: number;
}

interface PresignedUrl {
    url: string;
    /**
     * When the URL expires: at its own expiry or at the expiry of the credentials that signed it, whichever is earlier.
     */
    expiresAtMs: number;
}

/** One bucket in any S3-compatible storage. Every failure is a {@link StorageError} that names the operation. */
export class Storage {
    readonly #sdk: AwsSdk;
    readonly #location: CopyLocation;
    readonly #client: S3Client;
    readonly #bucket: string;
    /** Names the mirror in errors. */
    readonly subject: string;

    private constructor(sdk: AwsSdk, client: S3Client, location: CopyLocation) {
        this.#sdk = sdk;
        this.#location = location;
        this.#client = client;
        this.#bucket = location.bucket;
        this.subject = `Mirror of export ${servedJob(location)} at ${addressOf(location)}`;
    }

    /** Makes no request. */
    static async open(location: CopyLocation, credentials: StorageCredentials | undefined): Promise<Storage> {
        const sdk = await loadAwsSdk();
        const settings = { timeouts, ...(credentials === undefined ? {} : { credentials }) };
        return new Storage(sdk, await createBucketClient(sdk.s3, location, settings), location);
    }

    close(): void {
        this.#client.destroy();
    }

    async find(key: string): Promise<StoredObject | undefined> {
        const { HeadObjectCommand, GetObjectCommand } = this.#sdk.s3;
        const object = { Bucket: this.#bucket, Key: key };
        const found = await this.#orMissing("HeadObject", async () => {
            try {
                return await this.#client.send(new HeadObjectCommand(object));
            } catch (error) {
                if (!(error instanceof Error) || error.name !== "NotFound") {
                    throw error;
                }
                // The answer to HEAD has no body, so a gateway may have given it.
                const { Body, ...head } = await this.#client.send(new GetObjectCommand(object));
                (Body as Readable | undefined)?.destroy();
                return head;
            }
        });
        return found && { etag: found.ETag ?? "", sizeBytes: found.ContentLength ?? 0 };
    }

    /** Reads a small text object and its metadata. */
    async readText(key: string): Promise<{ text: string; metadata: Record<string, string> } | undefined> {
        const { GetObjectCommand } = this.#sdk.s3;
        return this.#orMissing("GetObject", async () => {
            const { Body, Metadata } = await this.#client.send(
                new GetObjectCommand({ Bucket: this.#bucket, Key: key }),
            );
            return { text: (await Body?.transformToString()) ?? "", metadata: Metadata ?? {} };
        });
    }

    async writeText(key: string, text: string, metadata: Record<string, string>): Promise<void> {
        const { PutObjectCommand } = this.#sdk.s3;
        const content = { Body: text, ContentType: "text/plain; charset=utf-8", Metadata: metadata };
        await this.#call("PutObject", () =>
            this.#client.send(new PutObjectCommand({ Bucket: this.#bucket, Key: key, ...content })),
        );
    }

    /** Uploads an archive as an object, which appears complete or not at all. */
    async upload(
        key: string,
        archive: { path: string; sha256: string; sizeBytes: number },
        signal: AbortSignal,
    ): Promise<void> {
        const place = { sdk: this.#sdk.s3, client: this.#client };
        const object = { Bucket: this.#bucket, Key: key, ContentType: "application/gzip" };
        await this.#call("PutObject", () => putFile(place, object, archive, signal));
    }

    /** Also succeeds if the object does not exist. */
    async remove(key: string): Promise<void> {
        const { DeleteObjectCommand } = this.#sdk.s3;
        await this.#orMissing("DeleteObject", () =>
            this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key })),
        );
    }

    /** Signs locally; the only possible request is one that resolves the credentials. */
    async presign(key: string, lifetimeSeconds: number, nowMs: number): Promise<PresignedUrl> {
        const command = new this.#sdk.s3.GetObjectCommand({ Bucket: this.#bucket, Key: key });
        return this.#call("presigning", async () => {
            // Temporary credentials may be renewed at any time, but the expiry must belong to the credentials that sign
            // the URL.
            const credentials = await this.#client.config.credentials();
            const signer = await createBucketClient(this.#sdk.s3, this.#location, { credentials });
            try {
                const url = await this.#sdk.getSignedUrl(signer, command, {
                    expiresIn: lifetimeSeconds,
                    signingDate: new Date(nowMs),
                });
                const expiresWithMs = credentials.expiration?.getTime() ?? Infinity;
                return { url, expiresAtMs: Math.min(nowMs + lifetimeSeconds * 1000, expiresWithMs) };
            } finally {
                signer.destroy();
            }
        });
    }

    async #call<T>(operation: string, send: () => Promise<T>): Promise<T> {
        try {
            return await send();
        } catch (error) {
            const secrets = await secretsOfClient(this.#client, error);
            throw new StorageError(this.subject, operation, error, secrets, advise);
        }
    }

    async #orMissing<T>(operation: string, send: () => Promise<T>): Promise<T | undefined> {
        return this.#call(operation, async () => {
            try {
                return await send();
            } catch (error) {
                if (error instanceof Error && absent.has(error.name)) {
                    return undefined;
                }
                throw error;
            }
        });
    }
}
