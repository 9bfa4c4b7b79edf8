import { InvalidSettingsError } from "./errors/index.js";

/**
 * Refuses a key that cannot be one, without showing it.
 * @throws InvalidSettingsError when it is missing or empty, has white space or characters that no header can carry, or
 * lacks the prefix
 */
export function assertAdminApiKey(key: string, prefix: string | undefined): void {
    if (!key) {
        throw new InvalidSettingsError(
            "adminApiKey",
            "must not be empty: create an admin API key on the API keys page of the dashboard.",
        );
    }
    if (/\s/.test(key)) {
        throw new InvalidSettingsError(
            "adminApiKey",
            "must not contain white space: copy the key again, without line breaks.",
        );
    }
    if (!/^[\x21-\x7e]+$/.test(key)) {
        throw new InvalidSettingsError(
            "adminApiKey",
            "must contain printable ASCII characters only: copy the key again.",
        );
    }
    if (prefix !== undefined && !key.startsWith(prefix)) {
        throw new InvalidSettingsError(
            "adminApiKey",
            `must begin with "${prefix}" (adminKeyPrefix): check that it is an admin API key, not one of another kind.`,
        );
    }
    if (prefix !== undefined && key === prefix) {
        throw new InvalidSettingsError("adminApiKey", `must have a secret part after "${prefix}": copy the whole key.`);
    }
}
