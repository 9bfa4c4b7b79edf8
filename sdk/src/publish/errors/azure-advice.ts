import { again } from "./storage-error.js";

const credentials =
    "Set AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN, or give this machine an identity; a Pulumi program also reads " +
    "static-export:azureStorageKey and static-export:azureStorageSasToken.";
const permissions =
    "Allow these credentials to read, write, delete and list blobs: the role Storage Blob Data Contributor, or a " +
    "shared access signature with the permissions rcwdl. Check the account's firewall, too.";
const names = "Choose a shorter prefix, or shorter names of pages.";

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

export function adviseAzure(code: string, status: number | undefined): string {
    const known = adviceByCode[code] ?? (status === 403 ? permissions : undefined);
    return known ?? (status === undefined || status >= 500 ? again : "Check container and endpoint.");
}
