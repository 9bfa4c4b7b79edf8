import type { dynamic } from "@pulumi/pulumi";
import { azureSettings } from "@pulumi-static-export/contract";
import type { AzureCredentials } from "@pulumi-static-export/sdk/publish";

/**
 * The credentials in the stack's configuration. If undefined, those of the environment or the identity of this machine
 * are used. Call it only when a request is about to be made.
 */
export function readAzureCredentials(config: dynamic.Config): AzureCredentials | undefined {
    const accountKey = config.get(azureSettings.accountKey);
    const sasToken = config.get(azureSettings.sasToken);
    return accountKey || sasToken ? { accountKey, sasToken } : undefined;
}
