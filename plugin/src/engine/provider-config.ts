import type { dynamic } from "@pulumi/pulumi";
import type { CheckFailure } from "../wire/check-failures.js";
import { type Decoded, type Properties } from "../wire/properties.js";
import { isUnknown } from "pulumi-static-export/plugin-entry";

/** The settings of a provider, and whether each is secret. */
const settings: Readonly<Record<string, { isSecret: boolean }>> = {
    baseUrl: { isSecret: false },
    adminApiKey: { isSecret: true },
    adminKeyPrefix: { isSecret: false },
    runId: { isSecret: false },
    mirrorAccessKeyId: { isSecret: false },
    mirrorSecretAccessKey: { isSecret: true },
    mirrorSessionToken: { isSecret: true },
    azureStorageKey: { isSecret: true },
    azureStorageSasToken: { isSecret: true },
    purgeToken: { isSecret: true },
};

/**
 * Checks the settings of a provider. Drops other settings, because the namespace of the stack's configuration may also
 * contain settings of the program. Marks settings as secret that must never be in a state in plain text.
 */
export function checkConfig({ values, secrets }: Decoded): Decoded & { failures: CheckFailure[] } {
    const known = Object.entries(values).filter(([name]) => Object.hasOwn(settings, name) || name === "version");
    const failures = known
        .filter(([, value]) => typeof value !== "string" && value !== null && !isUnknown(value))
        .map(([property]) => ({ property, reason: "must be a string" }));
    const secretSettings = Object.keys(settings).filter((name) => settings[name]?.isSecret);
    return { values: Object.fromEntries(known), secrets: new Set([...secrets, ...secretSettings]), failures };
}

/** The settings as lifecycles read them: `static-export:baseUrl`. Values that are unknown in a preview are absent. */
export function lifecycleConfig(values: Properties): dynamic.Config {
    const get = (key: string) => {
        const value = values[key.replace("static-export:", "")];
        return typeof value === "string" && !isUnknown(value) ? value : undefined;
    };
    return {
        get,
        require: (key) => {
            const value = get(key);
            if (value === undefined) {
                throw new Error(`Missing required configuration key: ${key}`);
            }
            return value;
        },
    };
}
