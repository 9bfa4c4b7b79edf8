import { inWordsOf, word } from "../../words/words.js";
import { languageTag } from "../../render/layout/switchers.js";
import { escapeHtml } from "../../text/html-text.js";
import { piecesOf } from "../../text/pieces.js";
import { belowBasePath, canonicalUrl, htmlFileOf, siteUrl, type SiteAddress } from "../../read/files/routes.js";

/** A page, with the day of its last change if it has one. */
interface SitemapPage {
    readonly route: string;
    readonly changedOn: string | undefined;
}

/** Search engines read no larger sitemap. */
const maxPagesOfSitemap = 50_000;

/** `sitemap.xml`: the pages in order, or the sitemaps that have them. */
export function sitemapFiles(site: SiteAddress, pages: readonly SitemapPage[]): [file: string, content: string][] {
    if (pages.length <= maxPagesOfSitemap) {
        return [["sitemap.xml", writeSitemap(site, pages)]];
    }
    const parts = piecesOf(pages, maxPagesOfSitemap).map((ofPart, at): [string, string] => [
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

/** The site's own text for the page for unknown addresses. */
export interface NotFoundText {
    readonly title: string | undefined;
    readonly html: string | undefined;
    readonly leadsHome: boolean;
    /** The code of the site's first language; undefined for English. */
    readonly language: string | undefined;
}

/** A host shows this page under any unknown address, so it must not need any other file. */
export function writeNotFound(
    siteName: string,
    { basePath }: SiteAddress,
    { title, html, leadsHome, language }: NotFoundText,
): string {
    const start = `/${belowBasePath(basePath, "")}`;
    const name = escapeHtml(siteName);
    const heading = title === undefined ? word("notFound") : escapeHtml(title);
    const home = leadsHome ? `<meta http-equiv="refresh" content="0; url=${start}">\n` : "";
    const page = `<!doctype html>
<html lang="${escapeHtml(languageTag(language ?? "en"))}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${home}<title>${heading} – ${name}</title>
<style>
body{margin:0;min-height:100vh;display:grid;place-items:center}
body{font:1rem/1.6 system-ui,sans-serif;background:Canvas;color:CanvasText}
main{padding:2rem;text-align:center}h1{margin:0 0 .5rem;font-size:1.75rem}a{color:LinkText}
</style>
</head>
<body>
<main>
<h1>${heading}</h1>
${html ?? `<p>${word("notFoundText")}</p>`}
<p><a href="${start}">${word("home")} – ${name}</a></p>
</main>
</body>
</html>
`;
    return inWordsOf(language, page);
}

/** The site's root address must show something, also without a page called index. */
export function writeRedirectHome(site: SiteAddress, firstRoute: string): string {
    return writeRedirect(encodeURI(htmlFileOf(firstRoute)), canonicalUrl(site, firstRoute));
}

/** A page that redirects, with and without scripts. */
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
