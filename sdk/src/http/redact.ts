/**
 * Origin and path of an address: no query, credentials or fragment. Of an address without a host, whose path may be
 * anything (`data:`), only the scheme; what is not an address becomes `(not an address)`.
 */
export function redactUrl(url: string): string {
    if (!URL.canParse(url)) {
        return "(not an address)";
    }
    const { protocol, host, pathname } = new URL(url);
    return host === "" ? `${protocol}…` : `${protocol}//${host}${pathname}`;
}

/** The text with every occurrence of a secret replaced by `[secret]`. Empty secrets are ignored. */
export function redact(text: string, secrets: readonly string[]): string {
    return [...secrets]
        .filter((secret) => secret !== "")
        .sort((a, b) => b.length - a.length)
        .reduce((redacted, secret) => redacted.replaceAll(secret, "[secret]"), text);
}
