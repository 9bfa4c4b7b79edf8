import { createReadStream } from "node:fs";
import type { PutObjectCommandInput, S3Client } from "@aws-sdk/client-s3";
import type { Sdk } from "./bucket.js";

/** The address that the SDK sends objects to, learned from one of the SDK's requests. */
interface Destination {
    readonly protocol: string;
    readonly hostname: string;
    readonly port?: number;
    /** The path of an object, without its key. */
    readonly folder: string;
    readonly host: string;
    readonly userAgent: string;
}

interface SentRequest {
    protocol: string;
    hostname: string;
    port?: number;
    path: string;
    headers: Record<string, string>;
}

interface Answer {
    readonly response: { readonly statusCode: number; readonly body: NodeJS.ReadableStream };
}

type Signer = Awaited<ReturnType<S3Client["config"]["signer"]>>;

/** A file to send, in memory or on disk. */
export interface ObjectContent {
    readonly small: Buffer | undefined;
    readonly localPath: string;
    readonly sizeBytes: number;
    /** SHA-256 in hexadecimal: the storage refuses other bytes. */
    readonly digest: string;
}

/**
 * Sends files to a bucket. Small files use only the SDK's signer and connections, because the rest of the SDK takes
 * more processor time per request. If the storage does not accept a file, the whole SDK sends it again or reports the
 * reason.
 */
export class ObjectSender {
    readonly #sdk: Sdk;
    readonly #client: S3Client;
    #destination: Destination | undefined;
    #signer: Promise<Signer> | undefined;

    constructor(sdk: Sdk, client: S3Client) {
        this.#sdk = sdk;
        this.#client = client;
    }

    async send(object: PutObjectCommandInput, content: ObjectContent, abortSignal: AbortSignal): Promise<void> {
        const { small, digest, localPath, sizeBytes } = content;
        if (small !== undefined && (await this.#sendQuickly(object, small, digest, abortSignal))) {
            return;
        }
        const large = small === undefined ? createReadStream(localPath) : undefined;
        const command = new this.#sdk.PutObjectCommand({ ...object, Body: small ?? large!, ContentLength: sizeBytes });
        // The SDK would compute the digest again, and would not sign the digest of a stream.
        command.middlewareStack.add(
            (next) => (call) => {
                (call.request as SentRequest).headers["x-amz-content-sha256"] = digest;
                return next(call);
            },
            { step: "build" },
        );
        let sent: SentRequest | undefined;
        command.middlewareStack.add(
            (next) => (call) => {
                sent = call.request as SentRequest;
                return next(call);
            },
            { step: "deserialize" },
        );
        try {
            await this.#client.send(command, { abortSignal });
            this.#destination = sent && destinationOf(sent, object.Key!);
        } finally {
            large?.destroy();
        }
    }

    /** Returns whether the storage has accepted the object. */
    async #sendQuickly(
        object: PutObjectCommandInput,
        body: Buffer,
        digest: string,
        abortSignal: AbortSignal,
    ): Promise<boolean> {
        if (this.#destination === undefined) {
            return false;
        }
        const { folder, host, userAgent, ...address } = this.#destination;
        const { config } = this.#client;
        const { WebsiteRedirectLocation: redirect } = object;
        const headers = {
            host,
            "user-agent": userAgent,
            "content-type": object.ContentType!,
            "cache-control": object.CacheControl!,
            "content-length": String(body.length),
            "x-amz-content-sha256": digest,
            ...(redirect === undefined ? {} : { "x-amz-website-redirect-location": redirect }),
        };
        const request = { ...address, method: "PUT", path: folder + pathOf(object.Key!), query: {}, headers, body };
        try {
            this.#signer ??= config.signer();
            // The SDK corrects its clock offset when the storage rejects this machine's time.
            const signingDate = new Date(Date.now() + config.systemClockOffset);
            const signed = await (await this.#signer).sign(request, { signingDate });
            const { response } = (await config.requestHandler.handle(signed as never, { abortSignal })) as Answer;
            // A connection can be reused only after its response was read.
            response.body.resume();
            return response.statusCode === 200;
        } catch {
            abortSignal.throwIfAborted();
            return false;
        }
    }
}

/** Returns undefined if the SDK encodes the key in another way. */
function destinationOf({ protocol, hostname, port, path, headers }: SentRequest, key: string): Destination | undefined {
    const end = pathOf(key);
    const { host = "", "user-agent": userAgent = "" } = headers;
    if (!path.endsWith(`/${end}`)) {
        return undefined;
    }
    const folder = path.slice(0, -end.length);
    return { protocol, hostname, ...(port === undefined ? {} : { port }), folder, host, userAgent };
}

/** Follows the SDK's rule for paths. */
function pathOf(key: string): string {
    const encode = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
    return key
        .split("/")
        .map((part) => encodeURIComponent(part).replace(/[!'()*]/g, encode))
        .join("/");
}
