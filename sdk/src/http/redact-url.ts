/**
 * Origin and path of a URL, without query, credentials and fragment. For a URL without a host, such as `data:`, returns
 * only the scheme, because its path may contain anything. Other text becomes `(not an address)`.
 */
export function redactUrl(url: string): string {
    if (!URL.canParse(url)) {
        return "(not an address)";
    }
    const { protocol, host, pathname } = new URL(url);
    return host === "" ? `${protocol}…` : `${protocol}//${host}${pathname}`;
}
