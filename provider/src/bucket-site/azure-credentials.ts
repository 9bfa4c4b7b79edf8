import type { dynamic } from "@pulumi/pulumi";
import { azureSettings } from "@pulumi-static-export/contract";
import type { AzureCredentials } from "@pulumi-static-export/sdk/publish";

/**
 * Reads the credentials from the stack's configuration. If they are undefined, the SDK uses the environment's
 * credentials or this machine's identity. Call this function only when a request is about to be made.
 */
export function readAzureCredentials(config: dynamic.Config): AzureCredentials | undefined {
    const accountKey = config.get(azureSettings.accountKey);
    const sasToken = config.get(azureSettings.sasToken);
    return accountKey || sasToken ? { accountKey, sasToken } : undefined;
}
