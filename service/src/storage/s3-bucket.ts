import { installationOf, orMissing } from "@pulumi-static-export/contract/missing-package";
import { setMaxListeners } from "node:events";
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

/** Clients wait for it, and so does the process when it closes. */
const defaultMaxAnswerMs = 10_000;
/** For a batch of a thousand objects, which a storage may remove one by one. */
const maxBatchMs = 30_000;

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
    readonly #maxAnswerMs: number;
    readonly #removal = new ObjectRemoval();
    readonly #closing = new AbortController();
    #opened: Promise<OpenBucket> | undefined;

    /**
     * Sends no request.
     * @param onFailure - called with the S3 operation of a failed request
     * @param maxAnswerMs - limit for all attempts of a request together @default 10000
     */
    constructor(
        location: BucketLocation,
        onFailure: (operation: string) => void = () => undefined,
        maxAnswerMs = defaultMaxAnswerMs,
    ) {
        this.#location = location;
        this.#onFailure = onFailure;
        this.#maxAnswerMs = maxAnswerMs;
        // Each running request adds a listener.
        setMaxListeners(0, this.#closing.signal);
    }

    /** Sends no request. @throws ServiceOptionsError if the AWS SDK is not installed */
    async open(): Promise<void> {
        await this.#open();
    }

    /** @throws ServiceOptionsError if the AWS SDK is not installed */
    async assertReachable(): Promise<void> {
        const { sdk, client } = await this.#open();
        await this.#answer("HeadBucket", (abortSignal) =>
            client.send(new sdk.HeadBucketCommand({ Bucket: this.#location.name }), { abortSignal }),
        );
    }

    /** Undefined if the object does not exist. */
    async sizeOf(name: string): Promise<number | undefined> {
        const { sdk, client } = await this.#open();
        return this.#answer("HeadObject", async (abortSignal) => {
            try {
                const command = new sdk.HeadObjectCommand(this.#object(name));
                return (await client.send(command, { abortSignal })).ContentLength;
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
    async put(name: string, path: string, content: BucketContent, signal: AbortSignal): Promise<void> {
        const { sha256, sizeBytes, contentType = archiveType } = content;
        const { sdk, client } = await this.#open();
        const object = { ...this.#object(name), ContentType: contentType };
        const file = { path, sha256, sizeBytes };
        const abortSignal = AbortSignal.any([signal, this.#closing.signal]);
        await this.#call("PutObject", () => putFile({ sdk, client }, object, file, abortSignal));
    }

    /** Downloads an object into a file. */
    async get(name: string, path: string, signal: AbortSignal): Promise<void> {
        const content = await this.stream(name, signal);
        await this.#call("GetObject", () => pipeline(content, createWriteStream(path, { mode: 0o600 }), { signal }));
    }

    /** The content of an object. */
    async stream(name: string, signal?: AbortSignal): Promise<Readable> {
        const { sdk, client } = await this.#open();
        return this.#answer(
            "GetObject",
            async (abortSignal) => {
                const { Body } = await client.send(new sdk.GetObjectCommand(this.#object(name)), { abortSignal });
                return Body as Readable;
            },
            signal,
        );
    }

    /** A part of an object that is small enough for the memory. */
    async read(name: string, from: number, length: number, signal: AbortSignal): Promise<Buffer> {
        const { sdk, client } = await this.#open();
        const part = { ...this.#object(name), Range: `bytes=${from}-${from + length - 1}` };
        const read = async (abortSignal: AbortSignal): Promise<Buffer> => {
            const { Body } = await client.send(new sdk.GetObjectCommand(part), { abortSignal });
            return buffer(Body as Readable);
        };
        return this.#answer("GetObject", read, signal);
    }

    /** Also succeeds if objects do not exist. */
    async remove(names: readonly string[]): Promise<void> {
        const { sdk, client } = await this.#open();
        const { name: bucket, prefix } = this.#location;
        const keys = names.map((name) => prefix + name);
        await this.#answer(
            "DeleteObjects",
            async (abortSignal) => {
                const refused = await this.#removal.remove(keys, { sdk, client, bucket, abortSignal });
                if (refused !== undefined) {
                    throw refused.error;
                }
            },
            undefined,
            maxBatchMs,
        );
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
            const page = await this.#answer("ListObjectsV2", (abortSignal) =>
                client.send(new sdk.ListObjectsV2Command(request), { abortSignal }),
            );
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

    /** Ends the requests that are running. */
    async close(): Promise<void> {
        this.#closing.abort();
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

    /**
     * Sends a request whose answer is short, or waits for the beginning of a long answer.
     * @param send - gets a signal that is aborted after `maxMs`, unless it has resolved before
     */
    async #answer<T>(
        operation: string,
        send: (signal: AbortSignal) => Promise<T>,
        signal?: AbortSignal,
        maxMs = this.#maxAnswerMs,
    ): Promise<T> {
        const late = new AbortController();
        const timer = setTimeout(() => late.abort(), maxMs);
        const signals = [late.signal, this.#closing.signal, ...(signal === undefined ? [] : [signal])];
        try {
            return await this.#call(
                operation,
                () => send(AbortSignal.any(signals)),
                () => (late.signal.aborted ? `no answer within ${Math.round(maxMs / 1000)} s` : undefined),
            );
        } finally {
            clearTimeout(timer);
        }
    }

    async #call<T>(
        operation: string,
        send: () => Promise<T>,
        ownReason: () => string | undefined = () => undefined,
    ): Promise<T> {
        try {
            return await send();
        } catch (error) {
            this.#onFailure(operation);
            const reason = ownReason() ?? describeStorageFailure(error, await this.#secrets(error)).reason;
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

/** Of uploads and downloads that have begun. */
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
