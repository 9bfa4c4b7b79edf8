import { InvalidSettingsError } from "./errors/index.js";

const loopbackHost = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * The base address without a trailing slash.
 * @throws InvalidSettingsError when it is no http(s) address, would carry the key in clear over a network, or has parts
 * that would end up in every request
 */
export function normalizeBaseUrl(baseUrl: string): string {
    if (!baseUrl) {
        throw new InvalidSettingsError("baseUrl", "must not be empty: set it to the address of the admin API.");
    }
    if (!URL.canParse(baseUrl)) {
        throw new InvalidSettingsError("baseUrl", "must be an address such as https://api.example.com.");
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
            `must begin with https://: http://${url.host} would send the admin API key in clear ` +
                "(http:// is allowed for localhost, 127.0.0.0/8 and [::1] only).",
        );
    }
    return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}
