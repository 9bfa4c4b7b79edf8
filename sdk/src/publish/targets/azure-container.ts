import { azureVariables, trimTrailing } from "@pulumi-static-export/contract";
import { installationOf, orMissing } from "@pulumi-static-export/contract/missing-package";
import { PublishError } from "../errors/publish-error.js";
import { checkEndpoint } from "./check-endpoint.js";

/** A container of Azure Blob Storage, and how to access it. */
export interface ContainerLocation {
    readonly container: string;
    /** Empty, or ends with a slash. */
    readonly prefix: string;
    /** URL of the account's Blob service. @default the URL of the account in AZURE_STORAGE_ACCOUNT */
    readonly endpoint?: string | undefined;
}

/** One of both. */
export interface AzureCredentials {
    readonly accountKey?: string | undefined;
    /** A shared access signature, which is the query of a URL. */
    readonly sasToken?: string | undefined;
}

/** A container with the data that copies need. */
export interface OpenedContainer {
    readonly client: ContainerClient;
    readonly sdk: AzureSdk;
    /** A token for the source of a copy; undefined if URLs contain a signature. */
    readonly readToken: (() => Promise<string>) | undefined;
    /** The secrets that a response may repeat. */
    readonly secrets: readonly string[];
}

type AzureSdk = Awaited<ReturnType<typeof loadAzureSdk>>;
// The package has different types for `import()` and `import`.
type ContainerClient = InstanceType<AzureSdk["ContainerClient"]>;
export type BlobClient = ReturnType<ContainerClient["getBlockBlobClient"]>;

const scope = "https://storage.azure.com/.default";
/** The SDK waits four seconds before its first retry by default. */
const retryOptions = { maxTries: 5, retryDelayInMs: 200, maxRetryDelayInMs: 10_000 };

/**
 * Does not send a request. Without credentials here or in the environment, uses the identity of this machine.
 *
 * @throws PublishError if the account is unknown, or a package is not installed
 */
export async function openContainer(
    { container, endpoint }: ContainerLocation,
    given: AzureCredentials | undefined,
    env: NodeJS.ProcessEnv,
): Promise<OpenedContainer> {
    const sdk = await loadAzureSdk();
    const service = findService(endpoint, env);
    const url = `${service}/${encodeURIComponent(container)}`;
    const { accountKey, sasToken } = given ?? {
        accountKey: env[azureVariables.accountKey],
        sasToken: env[azureVariables.sasToken],
    };
    if (accountKey) {
        const credential = createKeyCredential(sdk, accountOf(service, env), accountKey);
        const client = new sdk.ContainerClient(url, credential, { retryOptions });
        return { client, sdk, readToken: undefined, secrets: [accountKey] };
    }
    if (sasToken) {
        const client = new sdk.ContainerClient(`${url}?${sasToken.replace(/^\?/, "")}`, undefined, { retryOptions });
        const secrets = [sasToken, new URLSearchParams(sasToken).get("sig") ?? ""];
        return { client, sdk, readToken: undefined, secrets };
    }
    const credential = new (await loadIdentity()).DefaultAzureCredential();
    const readToken = async () => (await credential.getToken(scope)).token;
    return { client: new sdk.ContainerClient(url, credential, { retryOptions }), sdk, readToken, secrets: [] };
}

function createKeyCredential(sdk: AzureSdk, account: string, accountKey: string) {
    if (!/^[\w+/]{20,}={0,2}$/.test(accountKey)) {
        throw new PublishError(
            "The storage account's key is not valid: copy the whole key that `az storage account keys list` prints.",
        );
    }
    return new sdk.StorageSharedKeyCredential(account, accountKey);
}

function findService(endpoint: string | undefined, env: NodeJS.ProcessEnv): string {
    const account = env[azureVariables.account];
    if (endpoint === undefined && !account) {
        throw new PublishError(
            "The container's storage account is not known. Set the endpoint, such as " +
                "https://ACCOUNT.blob.core.windows.net, or the environment variable AZURE_STORAGE_ACCOUNT.",
        );
    }
    const service = endpoint ?? `https://${account}.blob.core.windows.net`;
    checkEndpoint(service, {
        example: "https://ACCOUNT.blob.core.windows.net",
        keys: "A shared access signature belongs in the environment variable AZURE_STORAGE_SAS_TOKEN.",
    });
    return trimTrailing(service, "/");
}

/**
 * Returns the account of a service: the first label of the host, or the first folder for an emulator, whose host is an
 * IP address.
 */
function accountOf(service: string, env: NodeJS.ProcessEnv): string {
    const { hostname, pathname } = new URL(service);
    const [, folder = ""] = pathname.split("/");
    return folder || env[azureVariables.account] || hostname.split(".")[0]!;
}

/** Imports the SDK on demand, so that other users neither install nor load it. */
function loadAzureSdk() {
    return orRefused(import("@azure/storage-blob"), "Azure Blob Storage needs its SDK", "@azure/storage-blob");
}

function loadIdentity() {
    return orRefused(
        import("@azure/identity"),
        "No credentials were found in AZURE_STORAGE_KEY and AZURE_STORAGE_SAS_TOKEN, and those of this machine or of " +
            "`az login` need a package",
        "@azure/identity",
    );
}

/** @throws PublishError if the package is not installed */
function orRefused<T>(loading: Promise<T>, need: string, name: string): Promise<T> {
    return orMissing(
        loading,
        () => new PublishError(`${need}, which is not installed: run ${installationOf([name])}.`),
    );
}
