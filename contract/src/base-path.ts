const segment = "[A-Za-z0-9_~-][A-Za-z0-9_.~-]*";
const basePath = new RegExp(`^/*(${segment}(?:/${segment})*)?/*$`);
/** Paths that an export reserves, in addition to the folder of its site. */
const taken = /^(?:static-export(?:\/|$)|(?:index|404)\.html$|robots\.txt$)/;

/**
 * The path of a domain below which a site is served, such as `docs` for `/docs`, without slashes at its ends; empty for
 * a site at the root of its domain. Undefined for other strings.
 */
export function parseBasePath(text: string): string | undefined {
    const match = basePath.exec(text);
    const path = match?.[1] ?? "";
    return match === null || path.length > 200 || taken.test(path) ? undefined : path;
}
