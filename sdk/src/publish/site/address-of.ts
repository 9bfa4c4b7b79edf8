/** The pattern for all paths of a site. The paths themselves do not begin with a slash. */
export const everyPath = "/*";

/** Returns the address of a path as browsers send it, without a host. */
export function addressOf(path: string): string {
    return path === everyPath ? path : `/${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`;
}
