import type { dynamic } from "@pulumi/pulumi";
import { type ApiSetting, apiSettings, apiVariables } from "@pulumi-static-export/contract";

/** The admin API's URL and credentials. */
interface AdminApiSettings {
    baseUrl: string;
    adminApiKey: string;
    adminKeyPrefix: string | undefined;
    keySource: KeySource;
}

/** The source of the admin API key. */
export type KeySource = "configuration" | "environment";

/** A required setting is missing. The message says where to set the missing setting. */
export class MissingSettingError extends Error {
    override readonly name = "MissingSettingError";

    constructor(what: string, setting: ApiSetting, secret: boolean) {
        super(
            `No ${what} is set. Run \`pulumi config set ${secret ? "--secret " : ""}${apiSettings[setting]}\`, ` +
                `or set the environment variable ${apiVariables[setting]}.`,
        );
    }
}

/**
 * Reads the settings of the admin API, first from the stack's configuration, then from the environment.
 * Call this function only when a request is about to be made, so that previews and deletes need no key.
 * @throws MissingSettingError
 */
export function readAdminApiSettings(config: dynamic.Config, env: NodeJS.ProcessEnv): AdminApiSettings {
    const baseUrl = config.get(apiSettings.baseUrl) ?? env[apiVariables.baseUrl];
    if (!baseUrl) {
        throw new MissingSettingError("base address of the admin API", "baseUrl", false);
    }
    const configuredKey = config.get(apiSettings.adminApiKey);
    const adminApiKey = configuredKey ?? env[apiVariables.adminApiKey];
    if (!adminApiKey) {
        throw new MissingSettingError("admin API key", "adminApiKey", true);
    }
    return {
        baseUrl,
        adminApiKey,
        adminKeyPrefix: config.get(apiSettings.adminKeyPrefix) ?? env[apiVariables.adminKeyPrefix],
        keySource: configuredKey === undefined ? "environment" : "configuration",
    };
}
