import { escapeHtml } from "../../text/html-text.js";
import { chunksOf } from "../../text/chunks.js";
import { canonicalUrl, encodePath, htmlFileOf, siteUrl, type SiteAddress } from "../../read/files/routes.js";

/** A page, with the day of its last change, if known. */
interface SitemapPage {
    readonly route: string;
    readonly changedOn: string | undefined;
}

/** The maximum number of pages that search engines read from one sitemap. */
const maxPagesOfSitemap = 50_000;

/** `sitemap.xml`: the pages in order, or the sitemaps that contain them. */
export function sitemapFiles(site: SiteAddress, pages: readonly SitemapPage[]): [file: string, content: string][] {
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
    return `User-agent: *\nAllow: /\nSitemap: ${siteUrl(site, "sitemap.xml")}\n`;
}

/** The site's root address must work, even without a page called index. */
export function writeRedirectHome(site: SiteAddress, firstRoute: string): string {
    return writeRedirect(encodePath(htmlFileOf(firstRoute)), canonicalUrl(site, firstRoute));
}

/** A page that redirects with and without scripts. */
export function writeRedirect(href: string, canonical: string): string {
    const target = escapeHtml(href);
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=${target}">
<link rel="canonical" href="${escapeHtml(canonical)}">
<title>Redirecting</title>
</head>
<body><a href="${target}">Continue</a></body>
</html>
`;
}
