import { installationOf, orMissing } from "@pulumi-static-export/contract/missing-package";
import { createWriteStream } from "node:fs";
import { type Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { type S3Client } from "@aws-sdk/client-s3";
import { describeStorageFailure, secretsOfClient } from "@pulumi-static-export/contract";
import { createBucketClient, ObjectRemoval, putFile } from "@pulumi-static-export/contract/bucket";
import { ServiceOptionsError } from "../shared/service-options-error.js";
import { type BucketLocation } from "./bucket-options.js";
import { type Archive, StorageUnavailableError } from "./bundle-storage.js";

const archiveType = "application/gzip";

interface BucketContent extends Archive {
    /** @default application/gzip */
    contentType?: string;
}

/**
 * A bucket in any S3-compatible storage. Every failure is a {@link StorageUnavailableError} that names the operation.
 */
export class S3Bucket {
    readonly #location: BucketLocation;
    readonly #onFailure: (operation: string) => void;
    readonly #removal = new ObjectRemoval();
    #opened: Promise<OpenBucket> | undefined;

    /** Sends no request. @param onFailure - called with the S3 operation of a failed request */
    constructor(location: BucketLocation, onFailure: (operation: string) => void = () => undefined) {
        this.#location = location;
        this.#onFailure = onFailure;
    }

    /** Sends no request. @throws ServiceOptionsError if the AWS SDK is not installed */
    async open(): Promise<void> {
        await this.#open();
    }

    /** @throws ServiceOptionsError if the AWS SDK is not installed */
    async assertReachable(): Promise<void> {
        const { sdk, client } = await this.#open();
        await this.#call("HeadBucket", () => client.send(new sdk.HeadBucketCommand({ Bucket: this.#location.name })));
    }

    /** Undefined if the object does not exist. */
    async sizeOf(name: string): Promise<number | undefined> {
        const { sdk, client } = await this.#open();
        return this.#call("HeadObject", async () => {
            try {
                return (await client.send(new sdk.HeadObjectCommand(this.#object(name)))).ContentLength;
            } catch (error) {
                if ((error as Error).name === "NotFound") {
                    return undefined;
                }
                throw error;
            }
        });
    }

    /**
     * Uploads a file as an object, which appears complete or not at all: the storage refuses bytes with another digest.
     */
    async put(name: string, path: string, content: BucketContent, abortSignal: AbortSignal): Promise<void> {
        const { sha256, sizeBytes, contentType = archiveType } = content;
        const { sdk, client } = await this.#open();
        const object = { ...this.#object(name), ContentType: contentType };
        const file = { path, sha256, sizeBytes };
        await this.#call("PutObject", () => putFile({ sdk, client }, object, file, abortSignal));
    }

    /** Downloads an object into a file. */
    async get(name: string, path: string, abortSignal: AbortSignal): Promise<void> {
        const { sdk, client } = await this.#open();
        await this.#call("GetObject", async () => {
            const { Body } = await client.send(new sdk.GetObjectCommand(this.#object(name)), { abortSignal });
            await pipeline(Body as Readable, createWriteStream(path, { mode: 0o600 }), { signal: abortSignal });
        });
    }

    /** The content of an object. */
    async stream(name: string): Promise<Readable> {
        const { sdk, client } = await this.#open();
        return this.#call("GetObject", async () => {
            const { Body } = await client.send(new sdk.GetObjectCommand(this.#object(name)));
            return Body as Readable;
        });
    }

    /** A part of an object that is small enough for the memory. */
    async read(name: string, from: number, length: number, abortSignal: AbortSignal): Promise<Buffer> {
        const { sdk, client } = await this.#open();
        const part = { ...this.#object(name), Range: `bytes=${from}-${from + length - 1}` };
        return this.#call("GetObject", async () => {
            const { Body } = await client.send(new sdk.GetObjectCommand(part), { abortSignal });
            return buffer(Body as Readable);
        });
    }

    /** Also succeeds if objects do not exist. */
    async remove(names: readonly string[]): Promise<void> {
        const { sdk, client } = await this.#open();
        const { name: bucket, prefix } = this.#location;
        const keys = names.map((name) => prefix + name);
        await this.#call("DeleteObjects", async () => {
            const refused = await this.#removal.remove(keys, { sdk, client, bucket });
            if (refused !== undefined) {
                throw refused.error;
            }
        });
    }

    /**
     * The objects whose names begin with a prefix, a page at a time.
     * @param pageSize - the maximum number of objects in a page
     */
    async *list(beginning: string, pageSize = 1000): AsyncGenerator<{ name: string; sizeBytes: number }[]> {
        const { sdk, client } = await this.#open();
        const { name: Bucket, prefix } = this.#location;
        let ContinuationToken: string | undefined;
        do {
            const request = { Bucket, Prefix: `${prefix}${beginning}`, MaxKeys: pageSize, ContinuationToken };
            const page = await this.#call("ListObjectsV2", () => client.send(new sdk.ListObjectsV2Command(request)));
            yield (page.Contents ?? []).map(({ Key = "", Size = 0 }) => ({
                name: Key.slice(prefix.length),
                sizeBytes: Size,
            }));
            ContinuationToken = page.NextContinuationToken;
        } while (ContinuationToken !== undefined);
    }

    /** A link for clients. Signing a link sends no request, except perhaps one for the credentials. */
    async sign(name: string, fileName: string, lifetimeSeconds: number): Promise<string> {
        const { sdk, getSignedUrl, signer } = await this.#open();
        const command = new sdk.GetObjectCommand({
            ...this.#object(name),
            ResponseContentType: archiveType,
            ResponseContentDisposition: `attachment; filename="${fileName}"`,
        });
        return this.#call("presigning", () => getSignedUrl(signer, command, { expiresIn: lifetimeSeconds }));
    }

    /** The object's location without a signature, for operators. */
    addressOf(name: string): string {
        const { Bucket: bucket, Key } = this.#object(name);
        return `s3://${bucket}/${Key}`;
    }

    async close(): Promise<void> {
        const opened = await this.#opened?.catch(() => undefined);
        opened?.client.destroy();
        opened?.signer.destroy();
    }

    #object(name: string): { Bucket: string; Key: string } {
        return { Bucket: this.#location.name, Key: `${this.#location.prefix}${name}` };
    }

    #open(): Promise<OpenBucket> {
        return (this.#opened ??= openBucket(this.#location));
    }

    async #secrets(error: unknown): Promise<string[]> {
        const opened = await this.#opened?.catch(() => undefined);
        return opened === undefined ? [] : secretsOfClient(opened.client, error);
    }

    async #call<T>(operation: string, send: () => Promise<T>): Promise<T> {
        try {
            return await send();
        } catch (error) {
            this.#onFailure(operation);
            const { reason } = describeStorageFailure(error, await this.#secrets(error));
            throw new StorageUnavailableError(`Bucket s3://${this.#location.name}: ${operation} failed (${reason}).`);
        }
    }
}

type AwsSdk = Awaited<ReturnType<typeof loadAwsSdk>>;

interface OpenBucket extends AwsSdk {
    client: S3Client;
    /** Signs links for the clients' endpoint, because the signature includes the host. */
    signer: S3Client;
}

/** The timeout is short, because requests get 503 while the storage is unreachable. */
const timeouts = { connectionTimeout: 5000, socketTimeout: 60_000 };

async function openBucket({ name, endpoint, publicEndpoint = endpoint }: BucketLocation): Promise<OpenBucket> {
    const { sdk, getSignedUrl } = await loadAwsSdk();
    const createClient = (address: string | undefined) =>
        createBucketClient(sdk, { bucket: name, endpoint: address }, { timeouts });
    return {
        sdk,
        getSignedUrl,
        client: await createClient(endpoint),
        signer: await createClient(publicEndpoint),
    };
}

/** The AWS SDK is imported here, so that services that store bundles in a folder need neither install nor load it. */
async function loadAwsSdk() {
    const [sdk, { getSignedUrl }] = await orMissing(
        Promise.all([import("@aws-sdk/client-s3"), import("@aws-sdk/s3-request-presigner")]),
        () => {
            const install = installationOf(["@aws-sdk/client-s3", "@aws-sdk/s3-request-presigner"]);
            return new ServiceOptionsError(`A bucket needs the AWS SDK, which is not installed: run ${install}.`);
        },
    );
    return { sdk, getSignedUrl };
}
