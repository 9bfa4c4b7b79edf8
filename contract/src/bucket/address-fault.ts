/**
 * Finds why an address of a storage or service cannot be used: it is not an http or https URL, or it has a user, a
 * password, a query or a fragment, which may be secret.
 */
export function findAddressFault(address: string): "not-http" | "not-plain" | undefined {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
        return "not-http";
    }
    return `${url.username}${url.password}${url.search}${url.hash}` === "" ? undefined : "not-plain";
}
