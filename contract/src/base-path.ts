const segment = "[A-Za-z0-9_~-][A-Za-z0-9_.~-]*";
const basePath = new RegExp(`^/*(?:(${segment}(?:/${segment})*)/*)?$`);
/** Paths that an export reserves, in addition to the folder of its site. */
const taken = /^(?:static-export(?:\/|$)|(?:index|404)\.html$|robots\.txt$)/;

/**
 * Reads the path below a domain where a site is served, and removes slashes at its ends: `docs` for `/docs`, and an
 * empty string for the root of the domain. Returns undefined for an invalid path.
 */
export function parseBasePath(text: string): string | undefined {
    const match = basePath.exec(text);
    const path = match?.[1] ?? "";
    return match === null || path.length > 200 || taken.test(path) ? undefined : path;
}
