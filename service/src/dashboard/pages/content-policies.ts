/** Pages of the dashboard run only their own script. */
export const pagePolicy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
].join("; ");

/** The page that shows an exported site in a frame. */
export const framePolicy = `${pagePolicy}; frame-src 'self'`;

/**
 * Files of exported sites, whose authors are not trusted: they have an origin that no other page shares, so that their
 * scripts can neither read the dashboard nor send its cookies, and they cannot open windows or send forms.
 */
export const sitePolicy = [
    "sandbox allow-scripts",
    "default-src 'self' https: data: blob: 'unsafe-inline' 'unsafe-eval'",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'self'",
].join("; ");
