import { trimTrailing } from "@pulumi-static-export/contract";
import { InvalidSettingsError } from "../errors/index.js";

const loopbackHost = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Returns the base URL without a trailing slash.
 * @throws InvalidSettingsError when it is not an http(s) URL, would send the key unencrypted over a network, or has
 * credentials, a query or a fragment
 */
export function normalizeBaseUrl(baseUrl: string): string {
    if (!baseUrl) {
        throw new InvalidSettingsError("baseUrl", "must not be empty: set it to the address of the admin API.");
    }
    if (!/^[a-z][a-z\d+.-]*:\/\//i.test(baseUrl) || !URL.canParse(baseUrl)) {
        const [example, scheme] = /^(localhost|127\.|\[::1\])/.test(baseUrl)
            ? ["http://localhost:8787", "http://"]
            : ["https://api.example.com", "https://"];
        throw new InvalidSettingsError("baseUrl", `must be an address such as ${example}, with ${scheme}.`);
    }
    const url = new URL(baseUrl);
    if (url.protocol !== "https:" && url.protocol !== "http:") {
        throw new InvalidSettingsError("baseUrl", `must begin with https://, got ${url.protocol}//.`);
    }
    if (url.username !== "" || url.password !== "") {
        throw new InvalidSettingsError("baseUrl", "must not contain credentials: the key belongs in adminApiKey.");
    }
    if (baseUrl.includes("?") || baseUrl.includes("#")) {
        throw new InvalidSettingsError("baseUrl", "must not contain a query or a fragment.");
    }
    if (url.protocol === "http:" && !loopbackHost.test(url.hostname)) {
        throw new InvalidSettingsError(
            "baseUrl",
            `must begin with https://: http://${url.host} would send the admin API key unencrypted ` +
                "(http:// is only allowed for localhost, 127.0.0.0/8 and [::1]).",
        );
    }
    return `${url.origin}${trimTrailing(url.pathname, "/")}`;
}

/**
 * Refuses an invalid key without showing it.
 * @throws InvalidSettingsError when it is missing or empty, includes quotation marks or "Bearer", contains white space
 * or characters that are invalid in a header, or lacks the prefix
 */
export function assertAdminApiKey(key: string, prefix: string | undefined): void {
    if (!key) {
        throw new InvalidSettingsError("adminApiKey", "must not be empty: set it to an admin API key of the platform.");
    }
    if (/^bearer\s/i.test(key)) {
        throw new InvalidSettingsError("adminApiKey", 'must be the key alone, without "Bearer" before it.');
    }
    if (/^(["'`]).*\1\s*$/.test(key)) {
        throw new InvalidSettingsError("adminApiKey", "must be the key alone, without quotation marks around it.");
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
            `must begin with "${prefix}" (adminKeyPrefix): check that it is an admin API key, not another kind of key.`,
        );
    }
    if (key === prefix) {
        throw new InvalidSettingsError("adminApiKey", `must have a secret part after "${prefix}": copy the whole key.`);
    }
}

/**
 * Returns the number, or the default if the number is undefined.
 * @throws InvalidSettingsError when it is not finite, or is below `min`: NaN would cause an endless wait or a busy loop
 */
export function settingsNumber(setting: string, value: number | undefined, defaultValue: number, min: number): number {
    if (value !== undefined && !(Number.isFinite(value) && value >= min)) {
        throw new InvalidSettingsError(setting, `must be a finite number of at least ${min}, got ${value}.`);
    }
    return value ?? defaultValue;
}

/**
 * Encodes an id as one segment of a path.
 * @throws InvalidSettingsError for an id that would change the path: empty, `.` and `..`
 */
export function pathSegment(name: string, id: string): string {
    if (id === "" || id === "." || id === "..") {
        throw new InvalidSettingsError(name, `must be an id from the API, got "${id}".`);
    }
    return encodeURIComponent(id);
}
