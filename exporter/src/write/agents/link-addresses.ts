import { decodeUri } from "@pulumi-static-export/contract";
import { isAllowedAddress } from "../../html/page-scripts.js";
import { type LinkTargets, resolveLink } from "../../plan/links/link-resolver.js";
import { type SitePage } from "../../plan/site-page.js";
import { canonicalUrl, encodePath, homeRoute, htmlFileOf, siteUrl } from "../../read/files/routes.js";
import { PageText } from "../../read/markdown/page-text/page-text.js";

/** The places of addresses: links and pictures, definitions of links, and attributes of elements. */
const places = [
    /((?<!\\)\]\([ \t]*)((?:[^\s()<>\\]|\([^\s()<>\\]*\))+)(?=[ \t]*\)|[ \t]+["'(])/g,
    /((?<!\\)\]\([ \t]*<)([^<>\n]+)(?=>)/g,
    // Text may follow the name of a footnote.
    /^( {0,3}\[(?!\^)[^\]\n]+\]:[ \t]*<?)([^\s<>]+)(?=>?[ \t]*(?:$|["'(]))/gm,
    /(<[a-z][^<>]*?\s(?:href|src)=["'])([^\s"'<>]+)(?=["'])/gi,
];

/** An address with a scheme or a host, an address on this page, or one from the root. */
const isComplete = /^(?:[a-z][a-z\d+.-]*:|[/#?]|$)/i;

/**
 * Replaces links to pages and files of the site by their addresses on its domain: programs read the Markdown in other
 * places than the page's own.
 */
export function withLinkAddresses(markdown: string, page: SitePage, site: LinkTargets): string {
    const rewrite = (text: PageText, place: RegExp) =>
        text.replace(place, ([, before = "", href = ""]) => before + addressOf(href, page, site), text.code);
    return places.reduce(rewrite, new PageText(markdown, false)).text;
}

function addressOf(href: string, page: SitePage, site: LinkTargets): string {
    if (!isAllowedAddress(href)) {
        // The page does not contain it, either.
        return "#";
    }
    const { href: resolved, problem } = resolveLink(href, page, site);
    if (problem !== undefined || isComplete.test(resolved)) {
        return problem === undefined ? resolved : href;
    }
    const { pathname, search, hash } = new URL(resolved, `https://site/${encodePath(htmlFileOf(page.route))}`);
    const file = decodeUri(pathname.slice(1));
    const route = file === htmlFileOf(homeRoute) ? homeRoute : file.replace(/\.html$/, "");
    const isPage = file !== route && (site.pages.has(route) || route === homeRoute);
    return (isPage ? canonicalUrl(site, route) : siteUrl(site, pathname.slice(1))) + search + hash;
}
