import { escapeHtml } from "../../text/html-text.js";
import { canonicalUrl, encodePath, htmlFileOf, type SiteAddress } from "../../read/files/routes.js";

/** The site's root address must work, even without a page called index. */
export function writeRedirectHome(site: SiteAddress, firstRoute: string): string {
    return writeRedirect(encodePath(htmlFileOf(firstRoute)), canonicalUrl(site, firstRoute));
}

/**
 * A page that redirects with and without scripts. With scripts, the query and the anchor of the request stay, unless
 * the target has its own.
 * @param canonical the target's complete address; without a domain, a path, which the page omits
 */
export function writeRedirect(href: string, canonical: string): string {
    const target = escapeHtml(href);
    const link = canonical.startsWith("/") ? "" : `<link rel="canonical" href="${escapeHtml(canonical)}">\n`;
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${scriptOf(href)}<meta http-equiv="refresh" content="0; url=${target}">
${link}<title>Redirecting</title>
</head>
<body><a href="${target}">Continue</a></body>
</html>
`;
}

function scriptOf(href: string): string {
    if (href.includes("#")) {
        return "";
    }
    const rest = href.includes("?") ? "location.hash" : "location.search+location.hash";
    const target = JSON.stringify(href).replaceAll("<", "\\u003c");
    return `<script>if(${rest})location.replace(${target}+${rest})</script>\n`;
}
