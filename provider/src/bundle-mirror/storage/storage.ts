import type { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { secretsOfClient } from "@pulumi-static-export/contract";
import { createBucketClient } from "@pulumi-static-export/contract/bucket";
import { type AwsSdk, loadAwsSdk, signWithoutContent } from "./aws-sdk.js";
import { MirrorError } from "./mirror-error.js";
import { addressOf, type CopyLocation, servedJob } from "./copy-address.js";
import type { StorageCredentials } from "./storage-credentials.js";
import { uploadInParts, type UploadTarget } from "./upload-in-parts.js";

/** The time limit for an abort: short, because a process that was asked to exit waits for the abort. */
const maxAbortMs = 30_000;

/** The storage's own names for something that does not exist. */
const absent: ReadonlySet<string> = new Set(["NoSuchKey", "NoSuchUpload", "NoSuchBucket"]);

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

/** One bucket in any S3-compatible storage. Every failure is a {@link MirrorError} that names the operation. */
export class Storage {
    readonly #sdk: AwsSdk;
    readonly #location: CopyLocation;
    readonly #client: S3Client;
    readonly #bucket: string;
    readonly #subject: string;

    private constructor(sdk: AwsSdk, client: S3Client, location: CopyLocation) {
        this.#sdk = sdk;
        this.#location = location;
        this.#client = client;
        this.#bucket = location.bucket;
        this.#subject = `Mirror of export ${servedJob(location)} at ${addressOf(location)}`;
    }

    /** Makes no request. */
    static async open(location: CopyLocation, credentials: StorageCredentials | undefined): Promise<Storage> {
        const sdk = await loadAwsSdk();
        const settings = credentials === undefined ? {} : { credentials };
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

    /**
     * Streams an archive into an object, which appears complete or not at all. When `chunks` or the storage fails, or
     * `signal` is aborted, the uploaded parts are removed before this rejects.
     */
    async upload(key: string, chunks: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void> {
        const { CreateMultipartUploadCommand, UploadPartCommand } = this.#sdk.s3;
        const { CompleteMultipartUploadCommand, PutObjectCommand } = this.#sdk.s3;
        const object = { Bucket: this.#bucket, Key: key };
        const type = { ContentType: "application/gzip" };
        const target: UploadTarget = {
            put: async (Body, abortSignal) => {
                const command = new PutObjectCommand({ ...object, ...type, Body });
                await this.#call("PutObject", () => this.#client.send(command, { abortSignal }));
            },
            begin: async (abortSignal) => {
                const command = new CreateMultipartUploadCommand({ ...object, ...type });
                const { UploadId } = await this.#call("CreateMultipartUpload", () =>
                    this.#client.send(command, { abortSignal }),
                );
                return UploadId ?? "";
            },
            sendPart: async (UploadId, PartNumber, Body, abortSignal) => {
                const command = new UploadPartCommand({ ...object, UploadId, PartNumber, Body });
                command.middlewareStack.add(signWithoutContent, { step: "build" });
                const { ETag } = await this.#call("UploadPart", () => this.#client.send(command, { abortSignal }));
                return ETag ?? "";
            },
            complete: async (UploadId, etags, abortSignal) => {
                const Parts = etags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
                const command = new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts } });
                await this.#call("CompleteMultipartUpload", () => this.#client.send(command, { abortSignal }));
            },
            abort: (uploadId) => this.#abort(key, uploadId),
        };
        await uploadInParts(chunks, target, signal);
    }

    /** Aborts every incomplete upload to the key, including uploads of other processes. */
    async abortUploads(key: string): Promise<void> {
        const { ListMultipartUploadsCommand } = this.#sdk.s3;
        const { Uploads = [] } = await this.#call("ListMultipartUploads", () =>
            this.#client.send(new ListMultipartUploadsCommand({ Bucket: this.#bucket, Prefix: key })),
        );
        for (const { Key, UploadId } of Uploads) {
            if (Key === key && UploadId !== undefined) {
                await this.#abort(key, UploadId);
            }
        }
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

    async #abort(key: string, uploadId: string): Promise<void> {
        const { AbortMultipartUploadCommand } = this.#sdk.s3;
        const command = new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key: key, UploadId: uploadId });
        const abortSignal = AbortSignal.timeout(maxAbortMs);
        await this.#orMissing("AbortMultipartUpload", () => this.#client.send(command, { abortSignal }));
    }

    async #call<T>(operation: string, send: () => Promise<T>): Promise<T> {
        try {
            return await send();
        } catch (error) {
            throw new MirrorError(this.#subject, operation, error, await secretsOfClient(this.#client, error));
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
