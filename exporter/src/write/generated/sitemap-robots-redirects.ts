import { escapeHtml } from "../../text/html-text.js";
import { chunksOf } from "../../text/chunks.js";
import { canonicalUrl, encodePath, hasDomain, htmlFileOf, siteUrl, type SiteAddress } from "../../read/files/routes.js";

/** A page, with the day of its last change, if known. */
interface SitemapPage {
    readonly route: string;
    readonly changedOn: string | undefined;
}

/** The maximum number of pages that search engines read from one sitemap. */
const maxPagesOfSitemap = 50_000;

/** `sitemap.xml`: the pages in order, or the sitemaps that contain them. Without a domain, no address is complete. */
export function sitemapFiles(site: SiteAddress, pages: readonly SitemapPage[]): [file: string, content: string][] {
    if (!hasDomain(site)) {
        return [];
    }
    if (pages.length <= maxPagesOfSitemap) {
        return [["sitemap.xml", writeSitemap(site, pages)]];
    }
    const parts = chunksOf(pages, maxPagesOfSitemap).map((ofPart, at): [string, string] => [
        `sitemap-${at + 1}.xml`,
        writeSitemap(site, ofPart),
    ]);
    const links = parts.map(([file]) => `<sitemap><loc>${escapeHtml(siteUrl(site, file))}</loc></sitemap>\n`);
    const index = `<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${links.join("")}</sitemapindex>
`;
    return [["sitemap.xml", index], ...parts];
}

function writeSitemap(site: SiteAddress, pages: readonly SitemapPage[]): string {
    const urls = pages.map(({ route, changedOn }) => {
        const lastmod = changedOn === undefined ? "" : `<lastmod>${changedOn}</lastmod>`;
        return `<url><loc>${escapeHtml(canonicalUrl(site, route))}</loc>${lastmod}</url>\n`;
    });
    return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join("")}</urlset>
`;
}

export function writeRobots(site: SiteAddress): string {
    const sitemap = hasDomain(site) ? `Sitemap: ${siteUrl(site, "sitemap.xml")}\n` : "";
    return `User-agent: *\nAllow: /\n${sitemap}`;
}

/** The site's root address must work, even without a page called index. */
export function writeRedirectHome(site: SiteAddress, firstRoute: string): string {
    return writeRedirect(encodePath(htmlFileOf(firstRoute)), canonicalUrl(site, firstRoute));
}

/**
 * A page that redirects with and without scripts. With scripts, the query and the anchor of the request stay, unless the
 * target has its own.
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
