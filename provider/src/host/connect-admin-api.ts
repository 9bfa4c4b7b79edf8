import type { dynamic } from "@pulumi/pulumi";
import { AdminClient, InvalidSettingsError } from "@pulumi-static-export/sdk";
import { type KeySource, readAdminApiSettings } from "./settings.js";

const variables: Readonly<Record<string, string>> = {
    baseUrl: "STATIC_EXPORT_BASE_URL",
    adminApiKey: "STATIC_EXPORT_ADMIN_API_KEY",
    adminKeyPrefix: "STATIC_EXPORT_ADMIN_KEY_PREFIX",
};

/**
 * Makes the client of the admin API from the settings.
 * @throws MissingSettingError, or an InvalidSettingsError that also says where the setting was read
 */
export function connectAdminApi(
    config: dynamic.Config,
    env: NodeJS.ProcessEnv,
): { client: AdminClient; keySource: KeySource } {
    const { keySource, ...settings } = readAdminApiSettings(config, env);
    try {
        return { client: new AdminClient(settings), keySource };
    } catch (error) {
        const variable = error instanceof InvalidSettingsError ? variables[error.setting] : undefined;
        if (!(error instanceof InvalidSettingsError) || variable === undefined) {
            throw error;
        }
        const { setting, message } = error;
        const source =
            config.get(`static-export:${setting}`) === undefined
                ? `the environment variable ${variable}`
                : `static-export:${setting} in the stack's configuration`;
        const problem = message.slice(setting.length + 1);
        throw new InvalidSettingsError(setting, `${problem} It was read from ${source}.`);
    }
}
