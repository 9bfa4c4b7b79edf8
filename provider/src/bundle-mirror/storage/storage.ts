import type { Readable } from "node:stream";
import { createBucketClient, putFile } from "@pulumi-static-export/contract/bucket";
import { orMissing } from "@pulumi-static-export/contract/missing-package";
import { addCommand } from "@pulumi-static-export/contract/package-manager";
import { type BucketCredentials, createS3Advice, S3Bucket } from "@pulumi-static-export/sdk/publish";
import { addressOf, type CopyLocation, servedJob } from "./copy-address.js";

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

/** The objects of a mirror. */
export class Storage {
    readonly #location: CopyLocation;
    readonly #bucket: S3Bucket;
    readonly #getSignedUrl: AwsSdk["getSignedUrl"];
    /** Names the mirror in errors. */
    readonly subject: string;

    private constructor(bucket: S3Bucket, getSignedUrl: AwsSdk["getSignedUrl"], location: CopyLocation) {
        this.#bucket = bucket;
        this.#getSignedUrl = getSignedUrl;
        this.#location = location;
        this.subject = `Mirror of export ${servedJob(location)} at ${addressOf(location)}`;
    }

    /** Makes no request. */
    static async open(location: CopyLocation, credentials: BucketCredentials | undefined): Promise<Storage> {
        const { s3, getSignedUrl } = await loadAwsSdk();
        const settings = { timeouts, advise, ...(credentials === undefined ? {} : { credentials }) };
        return new Storage(await S3Bucket.open(s3, location, settings), getSignedUrl, location);
    }

    close(): void {
        this.#bucket.close();
    }

    async find(key: string): Promise<StoredObject | undefined> {
        const { HeadObjectCommand, GetObjectCommand } = this.#bucket.sdk;
        const object = this.#bucket.object(key);
        const found = await this.#orMissing("HeadObject", async () => {
            try {
                return await this.#bucket.client.send(new HeadObjectCommand(object));
            } catch (error) {
                if (!(error instanceof Error) || error.name !== "NotFound") {
                    throw error;
                }
                // The answer to HEAD has no body, so a gateway may have given it.
                const { Body, ...head } = await this.#bucket.client.send(new GetObjectCommand(object));
                (Body as Readable | undefined)?.destroy();
                return head;
            }
        });
        return found && { etag: found.ETag ?? "", sizeBytes: found.ContentLength ?? 0 };
    }

    /** Reads a small text object and its metadata. */
    async readText(key: string): Promise<{ text: string; metadata: Record<string, string> } | undefined> {
        const { GetObjectCommand } = this.#bucket.sdk;
        return this.#orMissing("GetObject", async () => {
            const { Body, Metadata } = await this.#bucket.client.send(new GetObjectCommand(this.#bucket.object(key)));
            return { text: (await Body?.transformToString()) ?? "", metadata: Metadata ?? {} };
        });
    }

    async writeText(key: string, text: string, metadata: Record<string, string>): Promise<void> {
        const { PutObjectCommand } = this.#bucket.sdk;
        const content = { Body: text, ContentType: "text/plain; charset=utf-8", Metadata: metadata };
        await this.#call("PutObject", () =>
            this.#bucket.client.send(new PutObjectCommand({ ...this.#bucket.object(key), ...content })),
        );
    }

    /** Uploads an archive as an object, which appears complete or not at all. */
    async upload(
        key: string,
        archive: { path: string; sha256: string; sizeBytes: number },
        signal: AbortSignal,
    ): Promise<void> {
        const object = { ...this.#bucket.object(key), ContentType: "application/gzip" };
        await this.#call("PutObject", () => putFile(this.#bucket, object, archive, signal));
    }

    /** Also succeeds if the object does not exist. */
    async remove(key: string): Promise<void> {
        const { DeleteObjectCommand } = this.#bucket.sdk;
        await this.#orMissing("DeleteObject", () =>
            this.#bucket.client.send(new DeleteObjectCommand(this.#bucket.object(key))),
        );
    }

    /** Signs locally; the only possible request is one that resolves the credentials. */
    async presign(key: string, lifetimeSeconds: number, nowMs: number): Promise<PresignedUrl> {
        const command = new this.#bucket.sdk.GetObjectCommand(this.#bucket.object(key));
        return this.#call("presigning", async () => {
            // Temporary credentials may be renewed at any time, but the expiry must belong to the credentials that sign
            // the URL.
            const credentials = await this.#bucket.client.config.credentials();
            const signer = await createBucketClient(this.#bucket.sdk, this.#location, { credentials });
            try {
                const url = await this.#getSignedUrl(signer, command, {
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

    #call<T>(operation: string, send: () => Promise<T>): Promise<T> {
        return this.#bucket.call(this.subject, operation, send);
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
