import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { type BlobHTTPHeaders } from "@azure/storage-blob";
import { PublishError, RecordChangedError } from "../errors/publish-error.js";
import { adviseCertificate, StorageError, again } from "../errors/storage-error.js";
import { type StoredFile } from "../records/inventory.js";
import { contentFolder, recordKey } from "../records/site-record.js";
import { parseHeaders } from "../site/file-headers.js";
import { readChunks, readContent } from "../site/read-content.js";
import {
    type AzureCredentials,
    type BlobClient,
    type ContainerLocation,
    openContainer,
    type OpenedContainer,
} from "./azure-container.js";
import { placesAbove } from "./folders-above.js";
import type { ListedFile, OuterPlace, RefusedRemoval, SiteReader, SiteTarget } from "./site-target.js";

const inMemoryBytes = 8 * 1024 * 1024;
const blockBytes = 4 * 1024 * 1024;
/** The maximum size that is copied within one request. */
const syncCopyBytes = 256 * 1024 * 1024;
const signatureMs = 15 * 60_000;
const ownHeaders = { blobContentType: "application/octet-stream", blobCacheControl: "no-store" };
const recordHeaders = { blobContentType: "application/json", blobCacheControl: "no-store" };

/**
 * A prefix of a container in Azure Blob Storage, such as `$web`. Every failure is a {@link StorageError} that names the
 * operation.
 */
export class AzureTarget implements SiteTarget {
    readonly hasHeaders = true;
    readonly concurrency = 32;
    readonly address: string;
    readonly recordAddress: string;
    readonly #container: OpenedContainer;
    readonly #name: string;
    readonly #prefix: string;

    private constructor(container: OpenedContainer, { container: name, prefix }: ContainerLocation) {
        this.#container = container;
        this.#name = name;
        this.#prefix = prefix;
        this.address = `az://${name}/${prefix}`;
        this.recordAddress = this.address + recordKey;
    }

    /**
     * Opens the container without a request.
     * @throws PublishError if the account is unknown, or the SDK is not installed
     */
    static async open(
        location: ContainerLocation,
        credentials?: AzureCredentials,
        env: NodeJS.ProcessEnv = process.env,
    ): Promise<AzureTarget> {
        return new AzureTarget(await openContainer(location, credentials, env), location);
    }

    async read(path: string, abortSignal: AbortSignal): Promise<{ content: Buffer; version: string } | undefined> {
        return this.#call("Get Blob", async () => {
            try {
                const { readableStreamBody, etag = "" } = await this.#blob(path).download(0, undefined, {
                    abortSignal,
                });
                return { content: await buffer(readableStreamBody ?? Readable.from([])), version: etag };
            } catch (error) {
                if (codeOf(error) === "BlobNotFound") {
                    return undefined;
                }
                throw error;
            }
        });
    }

    async write(path: string, content: Buffer, abortSignal: AbortSignal): Promise<string> {
        const options = { abortSignal, blobHTTPHeaders: ownHeaders };
        const put = () => this.#blob(path).upload(content, content.length, options);
        return tagOf((await this.#call("Put Blob", put)).etag);
    }

    async writeRecord(
        content: Buffer,
        version: string | undefined,
        _isConditional: boolean,
        abortSignal: AbortSignal,
    ): Promise<string> {
        const conditions = version === undefined ? { ifNoneMatch: "*" } : { ifMatch: version };
        const options = { abortSignal, conditions, blobHTTPHeaders: recordHeaders };
        return this.#call("Put Blob", async () => {
            try {
                const { etag = "" } = await this.#blob(recordKey).upload(content, content.length, options);
                return etag;
            } catch (error) {
                if (!["ConditionNotMet", "BlobAlreadyExists", "BlobNotFound"].includes(codeOf(error))) {
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

    findConditionalWrites(): Promise<boolean> {
        return Promise.resolve(true);
    }

    async send(path: string, localPath: string, file: StoredFile, abortSignal: AbortSignal): Promise<string> {
        const options = { abortSignal, blobHTTPHeaders: blobHeaders(file.headers) };
        const blob = this.#blob(path);
        if (file.sizeBytes <= inMemoryBytes) {
            const content = await readContent(localPath, file);
            const put = () => blob.upload(content, content.length, options);
            return tagOf((await this.#call("Put Blob", put, path)).etag);
        }
        // The last request creates a blob from the blocks. After an error, this request is not sent.
        const content = Readable.from(readChunks(localPath, file), { objectMode: false });
        const put = () => blob.uploadStream(content, blockBytes, 2, options);
        return tagOf((await this.#call("Put Block", put, path)).etag);
    }

    async copy(
        from: string,
        to: string,
        { headers, sizeBytes }: StoredFile,
        abortSignal: AbortSignal,
    ): Promise<string> {
        const blob = this.#blob(to);
        let etag: string | undefined;
        if (from !== to) {
            const copyThere = async () => {
                const { url, ...authorization } = await this.#sourceOf(from);
                const copied = await (sizeBytes <= syncCopyBytes
                    ? blob.syncCopyFromURL(url, { abortSignal, ...authorization })
                    : (await blob.beginCopyFromURL(url, { abortSignal })).pollUntilDone());
                etag = copied.etag;
            };
            // The account's firewall may refuse the storage's own request for the source.
            const copyHere = async () => {
                const { readableStreamBody } = await this.#blob(from).download(0, undefined, { abortSignal });
                const content = readableStreamBody as Readable;
                const options = { abortSignal, blobHTTPHeaders: blobHeaders(headers) };
                etag = (await blob.uploadStream(content, blockBytes, 2, options)).etag;
            };
            const copy = async () => {
                try {
                    await copyThere();
                } catch (error) {
                    if (!isRefused(error)) {
                        throw error;
                    }
                    await copyHere();
                }
            };
            await this.#call("Copy Blob", copy, to);
        }
        // A copy has the headers of its source. Saved contents keep their headers, so that a restored page has its
        // headers immediately.
        if (!to.startsWith(contentFolder)) {
            const set = () => blob.setHTTPHeaders(blobHeaders(headers), { abortSignal });
            etag = (await this.#call("Set Blob Properties", set, to)).etag;
        }
        return tagOf(etag);
    }

    async remove(paths: readonly string[], abortSignal: AbortSignal): Promise<RefusedRemoval | undefined> {
        const refused: { path: string; error: StorageError }[] = [];
        const removeOne = async (path: string) => {
            try {
                const remove = () => this.#blob(path).deleteIfExists({ abortSignal, deleteSnapshots: "include" });
                await this.#call("Delete Blob", remove, path);
            } catch (error) {
                if (!(error instanceof StorageError)) {
                    throw error;
                }
                refused.push({ path, error });
            }
        };
        for (let start = 0; start < paths.length; start += this.concurrency) {
            await Promise.all(paths.slice(start, start + this.concurrency).map(removeOne));
        }
        return refused.length === 0 ? undefined : { paths: refused.map(({ path }) => path), error: refused[0]!.error };
    }

    removeRecord(abortSignal: AbortSignal): Promise<RefusedRemoval | undefined> {
        return this.remove([recordKey], abortSignal);
    }

    async *list(abortSignal: AbortSignal): AsyncGenerator<ListedFile> {
        const pages = this.#container.client.listBlobsFlat({ prefix: this.#prefix, abortSignal }).byPage();
        for (;;) {
            const page = await this.#call("List Blobs", () => pages.next());
            if (page.done === true) {
                return;
            }
            for (const { name, properties } of page.value.segment.blobItems) {
                const path = name.slice(this.#prefix.length);
                yield { path, sizeBytes: properties.contentLength ?? 0, tag: tagOf(properties.etag) };
            }
        }
    }

    outerPlaces(): Promise<readonly OuterPlace[]> {
        return Promise.resolve(placesAbove(this.#prefix, (prefix) => this.#at(prefix)));
    }

    innerPlace(folder: string): SiteReader {
        return this.#at(this.#prefix + folder);
    }

    #at(prefix: string): AzureTarget {
        return new AzureTarget(this.#container, { container: this.#name, prefix });
    }

    close(): void {
        // Idle connections do not keep the process alive.
    }

    #blob(path: string): BlobClient {
        return this.#container.client.getBlockBlobClient(this.#prefix + path);
    }

    /** Returns a URL that the storage service itself can read from. */
    async #sourceOf(path: string) {
        const { client, sdk, readToken } = this.#container;
        const blob = this.#blob(path);
        if (readToken !== undefined) {
            return { url: blob.url, sourceAuthorization: { scheme: "Bearer", value: await readToken() } };
        }
        if (!(client.credential instanceof sdk.StorageSharedKeyCredential)) {
            return { url: blob.url };
        }
        const permissions = sdk.BlobSASPermissions.parse("r");
        return { url: await blob.generateSasUrl({ permissions, expiresOn: new Date(Date.now() + signatureMs) }) };
    }

    async #call<T>(operation: string, send: () => Promise<T>, path = ""): Promise<T> {
        try {
            return await send();
        } catch (error) {
            // The caller that aborts a call knows the reason.
            throw error instanceof PublishError || (error as Error).name === "AbortError"
                ? error
                : new StorageError(this.address + path, operation, error, this.#container.secrets, adviseAzure);
        }
    }
}

/** Redirects are pages, because this storage supports no other kind of redirect. */
function blobHeaders(headers: string): BlobHTTPHeaders {
    const { contentType, cacheControl } = parseHeaders(headers);
    return { blobContentType: contentType, blobCacheControl: cacheControl };
}

function isRefused(error: unknown): boolean {
    const { statusCode = 0 } = error as { statusCode?: number };
    return statusCode === 403 || statusCode === 409;
}

/** Only responses quote ETags, listings do not. */
function tagOf(etag = ""): string {
    return etag.replaceAll('"', "");
}

function codeOf(error: unknown): string {
    const { code } = error as { code?: unknown };
    return typeof code === "string" ? code : "";
}

const credentials =
    "Set AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN, or give this machine an identity. A Pulumi program also reads " +
    "static-export:azureStorageKey and static-export:azureStorageSasToken.";
const permissions =
    "Allow these credentials to read, write, delete and list blobs: the role Storage Blob Data Contributor, or a " +
    "shared access signature with the permissions rcwdl. Check the account's firewall, too.";
const names = "Choose a shorter prefix, or shorter page names.";

/** Advice by the error code of the storage or the operating system, or the error name of Azure's identity package. */
const adviceByCode: Readonly<Record<string, string>> = {
    ContainerNotFound:
        "Create the container first. $web exists once the account's static website is enabled. Check the account, too.",
    AuthenticationFailed:
        "The key or the shared access signature is wrong or has expired, or the clock of this machine is wrong. " +
        again,
    AuthorizationFailure: `The key or the shared access signature may be wrong. ${permissions}`,
    NoAuthenticationInformation: credentials,
    CredentialUnavailableError: `No credentials were found. ${credentials}`,
    AggregateAuthenticationError: `No credentials were found. ${credentials}`,
    AuthenticationError: `Azure did not accept the identity of this machine. ${credentials}`,
    KeyBasedAuthenticationNotPermitted:
        "The account does not accept keys: remove AZURE_STORAGE_KEY, and give this machine an identity.",
    PublicAccessNotPermitted: credentials,
    OutOfRangeInput: names,
    InvalidUri: names,
    AccountIsDisabled: "Enable the storage account.",
    ECONNREFUSED: "Check the endpoint, and that the storage is running.",
    ENOTFOUND: "Check the name of the account, the endpoint and DNS.",
};

function adviseAzure(code: string, status: number | undefined): string {
    const known =
        adviceByCode[code] ??
        adviseCertificate(code, "NODE_EXTRA_CA_CERTS") ??
        (status === 403 ? permissions : undefined);
    return known ?? (status === undefined || status >= 500 ? again : "Check the container and the endpoint.");
}
