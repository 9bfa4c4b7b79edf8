import { escapeXml } from "../../text/html-text.js";
import { chunksOf } from "../../text/chunks.js";
import { canonicalUrl, hasDomain, siteUrl, type SiteAddress } from "../../read/files/routes.js";

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
    const links = parts.map(([file]) => `<sitemap><loc>${escapeXml(siteUrl(site, file))}</loc></sitemap>\n`);
    const index = `<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${links.join("")}</sitemapindex>
`;
    return [["sitemap.xml", index], ...parts];
}

function writeSitemap(site: SiteAddress, pages: readonly SitemapPage[]): string {
    const urls = pages.map(({ route, changedOn }) => {
        const lastmod = changedOn === undefined ? "" : `<lastmod>${changedOn}</lastmod>`;
        return `<url><loc>${escapeXml(canonicalUrl(site, route))}</loc>${lastmod}</url>\n`;
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
