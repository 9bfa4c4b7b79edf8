import { isNotImplemented, ObjectRemoval, putFile, type ReachedBucket } from "@pulumi-static-export/contract/bucket";
import { RecordChangedError } from "../errors/publish-error.js";
import type { StoredFile } from "../records/inventory.js";
import { recordKey } from "../records/site-record.js";
import { parseHeaders } from "../site/file-headers.js";
import { readContent } from "../site/read-content.js";
import { checkEndpoint } from "./check-endpoint.js";
import { type BucketCredentials, loadAwsSdk, S3Bucket } from "./s3-bucket.js";
import { placesAbove } from "./folders-above.js";
import type { ListedFile, OuterPlace, RefusedRemoval, SiteReader, SiteTarget, WantedPaths } from "./site-target.js";

/** A bucket, and how to access it. */
export interface BucketLocation extends ReachedBucket {
    /** Empty, or ending in a slash. */
    readonly prefix: string;
}

/** Larger files are streamed, and the SDK cannot resend a stream after a failure. */
const inMemoryBytes = 8 * 1024 * 1024;
const ownHeaders = { ContentType: "application/octet-stream", CacheControl: "no-store" };

/** A prefix of a bucket. */
export class S3Target implements SiteTarget {
    readonly hasHeaders = true;
    readonly concurrency = 32;
    readonly address: string;
    readonly recordAddress: string;
    readonly #bucket: S3Bucket;
    readonly #prefix: string;
    /** R2 does not support redirects, so the pages at the redirected addresses redirect browsers. */
    #hasRedirects = true;
    readonly #removal = new ObjectRemoval();

    private constructor(bucket: S3Bucket, prefix: string) {
        this.#bucket = bucket;
        this.#prefix = prefix;
        this.address = `s3://${bucket.name}/${prefix}`;
        this.recordAddress = this.address + recordKey;
    }

    /**
     * Opens the bucket without a request.
     * @throws PublishError if the AWS SDK is not installed, or the endpoint is not the URL of a storage
     */
    static async open(location: BucketLocation, credentials?: BucketCredentials): Promise<S3Target> {
        const sdk = await loadAwsSdk();
        if (location.endpoint !== undefined) {
            checkEndpoint(location.endpoint, {
                example: "https://storage.example.com",
                keys: "Keys belong in the environment variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
            });
        }
        const bucket = await S3Bucket.open(sdk, location, credentials === undefined ? {} : { credentials });
        return new S3Target(bucket, location.prefix);
    }

    async read(path: string, abortSignal: AbortSignal): Promise<{ content: Buffer; version: string } | undefined> {
        return this.#call("GetObject", async () => {
            try {
                const command = new this.#bucket.sdk.GetObjectCommand(this.#object(path));
                const { Body, ETag = "" } = await this.#bucket.client.send(command, { abortSignal });
                return { content: Buffer.from((await Body?.transformToByteArray()) ?? []), version: versionOf(ETag) };
            } catch (error) {
                if (error instanceof Error && error.name === "NoSuchKey") {
                    return undefined;
                }
                if (statusOf(error) === 404 && (error as Error).name !== "NoSuchBucket" && !(await this.#lists(path))) {
                    return undefined;
                }
                throw error;
            }
        });
    }

    /** Whether a listing has a file: some storages answer 404 without a reason, and so does a gateway. */
    async #lists(path: string): Promise<boolean> {
        const { Bucket, Key } = this.#object(path);
        const command = new this.#bucket.sdk.ListObjectsV2Command({ Bucket, Prefix: Key, MaxKeys: 1 });
        const { Contents = [] } = await this.#bucket.client.send(command);
        return Contents.some((object) => object.Key === Key);
    }

    async write(path: string, content: Buffer, abortSignal: AbortSignal): Promise<string> {
        const command = new this.#bucket.sdk.PutObjectCommand({ ...this.#object(path), ...ownHeaders, Body: content });
        const { ETag } = await this.#call("PutObject", () => this.#bucket.client.send(command, { abortSignal }));
        return tagOf(ETag);
    }

    async writeRecord(
        content: Buffer,
        version: string | undefined,
        isConditional: boolean,
        abortSignal: AbortSignal,
    ): Promise<string> {
        const condition = version === undefined ? { IfNoneMatch: "*" } : { IfMatch: version };
        const put = async (conditions: object) => {
            const object = { ...this.#object(recordKey), ContentType: "application/json", CacheControl: "no-store" };
            const command = new this.#bucket.sdk.PutObjectCommand({ ...object, ...conditions, Body: content });
            return versionOf((await this.#bucket.client.send(command, { abortSignal })).ETag);
        };
        return this.#call("PutObject", async () => {
            if (!isConditional) {
                // Without conditional writes, this check detects a run that changed the record earlier, but not a run
                // that changes it at this moment.
                const found = await this.read(recordKey, abortSignal);
                if (found?.version !== version) {
                    throw new RecordChangedError(this.address);
                }
                return put({});
            }
            try {
                return await put(condition);
            } catch (error) {
                if (isNotImplemented(error)) {
                    return put({});
                }
                if (!isRefused(error)) {
                    throw error;
                }
                // A write whose response was lost is refused when the SDK repeats it.
                const found = await this.read(recordKey, abortSignal);
                if (found === undefined || !found.content.equals(content)) {
                    throw new RecordChangedError(this.address);
                }
                return found.version;
            }
        });
    }

    async findConditionalWrites(content: Buffer, abortSignal: AbortSignal): Promise<boolean> {
        const object = { ...this.#object(recordKey), ContentType: "application/json", CacheControl: "no-store" };
        const IfMatch = `"${"0".repeat(32)}"`;
        const command = new this.#bucket.sdk.PutObjectCommand({ ...object, IfMatch, Body: content });
        return this.#call("PutObject", async () => {
            try {
                await this.#bucket.client.send(command, { abortSignal });
                return false;
            } catch (error) {
                if (isRefused(error)) {
                    return true;
                }
                if (isNotImplemented(error)) {
                    return false;
                }
                throw error;
            }
        });
    }

    async send(path: string, localPath: string, file: StoredFile, abortSignal: AbortSignal): Promise<string> {
        const { digest = "", sizeBytes, headers } = file;
        const small = sizeBytes <= inMemoryBytes ? await readContent(localPath, file) : undefined;
        const put = async (others: ObjectHeaders) => {
            const object = { ...this.#object(path), ...others };
            if (small === undefined) {
                const large = { path: localPath, sha256: digest, sizeBytes };
                return putFile(this.#bucket, object, large, abortSignal);
            }
            const command = new this.#bucket.sdk.PutObjectCommand({ ...object, Body: small });
            return (await this.#bucket.client.send(command, { abortSignal })).ETag;
        };
        const etag = await this.#call("PutObject", () => this.#withRedirect(headers, put), path);
        return tagOf(etag);
    }

    async copy(from: string, to: string, { headers }: StoredFile, abortSignal: AbortSignal): Promise<string> {
        const key = `${this.#prefix}${from}`.split("/").map(encodeURIComponent).join("/");
        // For an access point, the source contains its ARN.
        const CopySource = this.#bucket.name.startsWith("arn:")
            ? `${this.#bucket.name}/object/${key}`
            : `${this.#bucket.name}/${key}`;
        const content = { ...this.#object(to), CopySource, MetadataDirective: "REPLACE" as const };
        const put = (others: ObjectHeaders) =>
            this.#bucket.client.send(new this.#bucket.sdk.CopyObjectCommand({ ...content, ...others }), {
                abortSignal,
            });
        const copied = await this.#call("CopyObject", () => this.#withRedirect(headers, put), to);
        return tagOf(copied.CopyObjectResult?.ETag);
    }

    async remove(paths: readonly string[], abortSignal: AbortSignal): Promise<RefusedRemoval | undefined> {
        const keys = paths.map((path) => this.#prefix + path);
        const place = { sdk: this.#bucket.sdk, client: this.#bucket.client, bucket: this.#bucket.name, abortSignal };
        const refused = await this.#call("DeleteObjects", () => this.#removal.remove(keys, place));
        return (
            refused && {
                paths: refused.keys.map((key) => key.slice(this.#prefix.length)),
                error: await this.#bucket.failure(this.address, "DeleteObjects", refused.error),
            }
        );
    }

    removeRecord(abortSignal: AbortSignal): Promise<RefusedRemoval | undefined> {
        return this.remove([recordKey], abortSignal);
    }

    async *list(abortSignal: AbortSignal, wanted?: WantedPaths): AsyncGenerator<ListedFile> {
        const place = { Bucket: this.#bucket.name, Prefix: this.#prefix };
        let next: { ContinuationToken?: string; StartAfter?: string } = {};
        for (;;) {
            const command = new this.#bucket.sdk.ListObjectsV2Command({ ...place, ...next });
            const page = await this.#call("ListObjectsV2", () => this.#bucket.client.send(command, { abortSignal }));
            let last = "";
            let isOfOthers = wanted !== undefined;
            for (const { Key = "", Size = 0, ETag } of page.Contents ?? []) {
                last = Key.slice(this.#prefix.length);
                isOfOthers &&= !wanted!.has(last);
                if (last !== "" && !last.endsWith("/")) {
                    yield { path: last, sizeBytes: Size, tag: tagOf(ETag) };
                }
            }
            if (page.NextContinuationToken === undefined) {
                return;
            }
            next = { ContinuationToken: page.NextContinuationToken };
            if (isOfOthers && last !== "") {
                // The next pages may have a million files of others, such as logs.
                const path = wanted!.nextAfter(last);
                if (path === undefined) {
                    return;
                }
                const before = path.replace(/.$/su, "");
                next = before > last ? { StartAfter: this.#prefix + before } : next;
            }
        }
    }

    outerPlaces(): Promise<readonly OuterPlace[]> {
        return Promise.resolve(placesAbove(this.#prefix, (prefix) => this.#at(prefix)));
    }

    innerPlace(folder: string): SiteReader {
        return this.#at(this.#prefix + folder);
    }

    #at(prefix: string): S3Target {
        return new S3Target(this.#bucket, prefix);
    }

    close(): void {
        this.#bucket.close();
    }

    /** Writes a file with its headers, but without its redirect if the storage does not support redirects. */
    async #withRedirect<T>(headers: string, put: (headers: ObjectHeaders) => Promise<T>): Promise<T> {
        const { WebsiteRedirectLocation: redirect, ...others } = objectHeaders(headers);
        if (redirect === undefined || !this.#hasRedirects) {
            return put(others);
        }
        try {
            return await put({ ...others, WebsiteRedirectLocation: redirect });
        } catch (error) {
            if (!isNotImplemented(error)) {
                throw error;
            }
            this.#hasRedirects = false;
            return put(others);
        }
    }

    #object(path: string): { Bucket: string; Key: string } {
        return this.#bucket.object(this.#prefix + path);
    }

    #call<T>(operation: string, send: () => Promise<T>, path = ""): Promise<T> {
        return this.#bucket.call(this.address + path, operation, send);
    }
}

interface ObjectHeaders {
    ContentType: string;
    CacheControl: string;
    WebsiteRedirectLocation?: string;
}

function objectHeaders(headers: string): ObjectHeaders {
    const { contentType, cacheControl, redirect } = parseHeaders(headers);
    return {
        ContentType: contentType,
        CacheControl: cacheControl,
        ...(redirect === undefined ? {} : { WebsiteRedirectLocation: redirect }),
    };
}

/** 404: the object whose version was expected is gone. */
function isRefused(error: unknown): boolean {
    return [404, 412].includes(statusOf(error)) && (error as Error).name !== "NoSuchBucket";
}

/** A proxy that compresses marks ETags as weak, and a condition with a weak one never holds. */
function versionOf(etag = ""): string {
    return etag.replace(/^W\//, "");
}

/** Responses and listings of some storages quote ETags differently. */
function tagOf(etag: string | undefined): string {
    return versionOf(etag).replaceAll('"', "");
}

function statusOf(error: unknown): number {
    return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode ?? 0;
}
