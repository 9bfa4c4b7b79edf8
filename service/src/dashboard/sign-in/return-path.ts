/** The first page that a person may see. */
const start = "/";

/**
 * The page to show after the sign-in: a path below the dashboard with its query. Everything else becomes the first page,
 * so that no link leads from the sign-in to another site.
 */
export function parseReturnPath(next: unknown): string {
    if (typeof next !== "string" || next.length > 2000 || !/^\/(?!\/)[\w.~%!$&'()*+,;=:@?/-]*$/.test(next)) {
        return start;
    }
    const { pathname, search } = new URL(next, "http://dashboard.invalid");
    return /^\/(?:\/|sign-(?:in|out)\b)/.test(pathname) ? start : pathname + search;
}
