import type { dynamic } from "@pulumi/pulumi";
import { secretSettings, stackSettings } from "@pulumi-static-export/contract";
import type { CheckFailure } from "../wire/check-failures.js";
import { type Decoded, type Properties } from "../wire/properties.js";
import { isUnknown } from "pulumi-static-export/plugin-entry";

const namespace = "static-export:";
const nameOf = (setting: string) => setting.slice(namespace.length);
/** The settings of a provider, under the names that they have in the stack's configuration. */
const names = new Set(stackSettings.map(nameOf));
const secretNames = secretSettings.map(nameOf);

/**
 * Checks the settings of a provider. Drops other settings, because the namespace of the stack's configuration may also
 * contain settings of the program. Marks as secret the settings that must never be in a state in plain text.
 */
export function checkConfig({ values, secrets }: Decoded): Decoded & { failures: CheckFailure[] } {
    const known = Object.entries(values).filter(([name]) => names.has(name) || name === "version");
    const failures = known
        .filter(([, value]) => typeof value !== "string" && value !== null && !isUnknown(value))
        .map(([property]) => ({ property, reason: "must be a string" }));
    return { values: Object.fromEntries(known), secrets: new Set([...secrets, ...secretNames]), failures };
}

/**
 * Returns the settings under the keys that lifecycles read, such as `static-export:baseUrl`. Values that are unknown in
 * a preview are absent.
 */
export function lifecycleConfig(values: Properties): dynamic.Config {
    const get = (key: string) => {
        const value = values[nameOf(key)];
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
