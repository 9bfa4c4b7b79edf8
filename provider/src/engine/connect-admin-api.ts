import type { dynamic } from "@pulumi/pulumi";
import {
    type ApiSetting,
    apiSettings,
    apiVariables,
    findPipelineRun,
    runSetting,
} from "@pulumi-static-export/contract";
import { AdminClient, InvalidSettingsError } from "@pulumi-static-export/sdk";
import { type KeySource, readAdminApiSettings } from "./admin-api-settings.js";

/**
 * Creates the client of the admin API from the settings, and determines the pipeline's run.
 * @throws MissingSettingError, or an InvalidSettingsError that also says where the setting was read
 */
export function connectAdminApi(
    config: dynamic.Config,
    env: NodeJS.ProcessEnv,
): { client: AdminClient; keySource: KeySource; pipelineRun: string | undefined } {
    const { keySource, ...settings } = readAdminApiSettings(config, env);
    try {
        return {
            client: new AdminClient(settings),
            keySource,
            pipelineRun: findPipelineRun(env, config.get(runSetting)),
        };
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
        throw new InvalidSettingsError(setting, `${problem} The setting was read from ${source}.`);
    }
}

function isApiSetting(name: string): name is ApiSetting {
    return Object.hasOwn(apiSettings, name);
}
