import { apiVariables } from "@pulumi-static-export/contract";
import { AdminClient, type AdminClientOptions, InvalidSettingsError } from "@pulumi-static-export/sdk";
import { withOptionNames } from "./option-names.js";
import { readSecretLines } from "./secret-file.js";
import { UsageError } from "./usage-error.js";

export interface ClientOptions {
    baseUrl?: string;
    adminKeyFile?: string;
}

/** A client with the same settings as Pulumi programs. @throws UsageError when one is missing or invalid */
export function createClient(
    { baseUrl, adminKeyFile }: ClientOptions,
    env: NodeJS.ProcessEnv,
    further: Pick<AdminClientOptions, "retry"> = {},
): AdminClient {
    const address = baseUrl ?? env[apiVariables.baseUrl];
    if (!address) {
        throw new UsageError(`No address of the service is set: pass --base-url, or set ${apiVariables.baseUrl}.`);
    }
    const howToCreate = `Write the service's admin API key into it, or set ${apiVariables.adminApiKey} instead.`;
    const key =
        adminKeyFile === undefined
            ? env[apiVariables.adminApiKey]
            : readSecretLines(adminKeyFile, "admin key file", howToCreate)[0];
    if (!key) {
        throw new UsageError(`No admin API key is set: pass --admin-key-file, or set ${apiVariables.adminApiKey}.`);
    }
    try {
        return new AdminClient({
            baseUrl: address,
            adminApiKey: key,
            adminKeyPrefix: env[apiVariables.adminKeyPrefix],
            ...further,
        });
    } catch (error) {
        throw error instanceof InvalidSettingsError ? new UsageError(withOptionNames(error.message)) : error;
    }
}
