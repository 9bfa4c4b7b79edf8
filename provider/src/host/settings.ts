import type { dynamic } from "@pulumi/pulumi";

/** The admin API's URL and credentials. */
export interface AdminApiSettings {
    baseUrl: string;
    adminApiKey: string;
    adminKeyPrefix: string | undefined;
    keySource: KeySource;
}

/** Where the admin API key was found. */
export type KeySource = "configuration" | "environment";

/** A required setting is missing. The message says where to set it. */
export class MissingSettingError extends Error {
    override readonly name = "MissingSettingError";

    constructor(what: string, configKey: string, variable: string, secret: boolean) {
        super(
            `No ${what} is set. Run \`pulumi config set ${secret ? "--secret " : ""}static-export:${configKey}\`, ` +
                `or set the environment variable ${variable}.`,
        );
    }
}

/**
 * Reads the settings of the admin API, first from the stack's configuration, then from the environment.
 * Call it only when a request is about to be made, so that previews and deletes need no key.
 * @throws MissingSettingError
 */
export function readAdminApiSettings(config: dynamic.Config, env: NodeJS.ProcessEnv): AdminApiSettings {
    const baseUrl = config.get("static-export:baseUrl") ?? env.STATIC_EXPORT_BASE_URL;
    if (!baseUrl) {
        throw new MissingSettingError("base address of the admin API", "baseUrl", "STATIC_EXPORT_BASE_URL", false);
    }
    const configuredKey = config.get("static-export:adminApiKey");
    const adminApiKey = configuredKey ?? env.STATIC_EXPORT_ADMIN_API_KEY;
    if (!adminApiKey) {
        throw new MissingSettingError("admin API key", "adminApiKey", "STATIC_EXPORT_ADMIN_API_KEY", true);
    }
    return {
        baseUrl,
        adminApiKey,
        adminKeyPrefix: config.get("static-export:adminKeyPrefix") ?? env.STATIC_EXPORT_ADMIN_KEY_PREFIX,
        keySource: configuredKey === undefined ? "environment" : "configuration",
    };
}
