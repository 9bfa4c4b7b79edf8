import type { dynamic } from "@pulumi/pulumi";
import { type ApiSetting, apiSettings, apiVariables } from "@pulumi-static-export/contract";
import { AdminClient, InvalidSettingsError } from "@pulumi-static-export/sdk";
import { type KeySource, readAdminApiSettings } from "./settings.js";

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
        if (!(error instanceof InvalidSettingsError) || !isApiSetting(error.setting)) {
            throw error;
        }
        const { message } = error;
        const setting: ApiSetting = error.setting;
        const source =
            config.get(apiSettings[setting]) === undefined
                ? `the environment variable ${apiVariables[setting]}`
                : `${apiSettings[setting]} in the stack's configuration`;
        const problem = message.slice(setting.length + 1);
        throw new InvalidSettingsError(setting, `${problem} It was read from ${source}.`);
    }
}

function isApiSetting(name: string): name is ApiSetting {
    return Object.hasOwn(apiSettings, name);
}
