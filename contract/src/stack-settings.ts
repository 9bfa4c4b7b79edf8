/** The names of the admin API's settings in a stack's configuration. */
export const apiSettings = {
    baseUrl: "static-export:baseUrl",
    adminApiKey: "static-export:adminApiKey",
    adminKeyPrefix: "static-export:adminKeyPrefix",
} as const;

/** The environment variables for settings that the configuration does not contain. */
export const apiVariables = {
    baseUrl: "STATIC_EXPORT_BASE_URL",
    adminApiKey: "STATIC_EXPORT_ADMIN_API_KEY",
    adminKeyPrefix: "STATIC_EXPORT_ADMIN_KEY_PREFIX",
} as const satisfies Record<ApiSetting, string>;

export type ApiSetting = keyof typeof apiSettings;

/** The names of the credentials for a mirror's storage in a stack's configuration. */
export const mirrorSettings = {
    accessKeyId: "static-export:mirrorAccessKeyId",
    secretAccessKey: "static-export:mirrorSecretAccessKey",
    sessionToken: "static-export:mirrorSessionToken",
} as const;

/** The environment variables from which the AWS SDK reads the same credentials. */
export const mirrorVariables = {
    accessKeyId: "AWS_ACCESS_KEY_ID",
    secretAccessKey: "AWS_SECRET_ACCESS_KEY",
    sessionToken: "AWS_SESSION_TOKEN",
} as const satisfies Record<keyof typeof mirrorSettings, string>;

/** The names of the two alternative credentials for an Azure storage account in a stack's configuration. */
export const azureSettings = {
    accountKey: "static-export:azureStorageKey",
    sasToken: "static-export:azureStorageSasToken",
} as const;

/** The environment variables from which Azure's command line reads the credentials and the account's name. */
export const azureVariables = {
    account: "AZURE_STORAGE_ACCOUNT",
    accountKey: "AZURE_STORAGE_KEY",
    sasToken: "AZURE_STORAGE_SAS_TOKEN",
} as const;

/** The name of the token for a CDN's API or a purge webhook in a stack's configuration. */
export const purgeSettings = { token: "static-export:purgeToken" } as const;
export const purgeVariables = { token: "STATIC_EXPORT_PURGE_TOKEN" } as const;

/** The user's setting for the id of a pipeline run: in a stack's configuration, otherwise in the environment. */
export const runSetting = "static-export:runId";
export const runVariable = "STATIC_EXPORT_RUN_ID";

/**
 * Every setting that a stack may have: the plugin accepts no other settings. Add each new setting to
 * `plugin/schema-base.json` and `docs/reference/settings.md` as well.
 */
export const stackSettings: readonly string[] = [
    ...Object.values(apiSettings),
    runSetting,
    ...Object.values(mirrorSettings),
    ...Object.values(azureSettings),
    ...Object.values(purgeSettings),
];

/** The settings that must never be in a state in plain text. */
export const secretSettings: readonly string[] = [
    apiSettings.adminApiKey,
    mirrorSettings.secretAccessKey,
    mirrorSettings.sessionToken,
    ...Object.values(azureSettings),
    purgeSettings.token,
];
