import { isAddressTag, type Metatags } from "../../read/front-matter/metatags.js";
import {
    belowBasePath,
    canonicalPath,
    canonicalUrl,
    hasDomain,
    htmlFileOf,
    markdownFileOf,
    relativeHref,
    siteUrl,
} from "../../read/files/routes.js";
import { escapeHtml } from "../../text/html-text.js";
import { type PageView } from "./page-view.js";

/** The tags of the head, one per line. */
export function metaTags(view: PageView): string {
    const { page, feedHref, markdown, switchers } = view;
    const { route } = page;
    const canonical = canonicalOf(view);
    const alternate = (attribute: string, href: string) =>
        `<link rel="alternate" ${attribute} href="${escapeHtml(href)}">`;
    const tags = [
        ...[...tagsOf(view)].map(
            ([name, content]) => `<meta ${attributeFor(name)}="${escapeHtml(name)}" content="${escapeHtml(content)}">`,
        ),
        canonical === undefined ? "" : `<link rel="canonical" href="${escapeHtml(canonical)}">`,
        ...switchers.alternates.map(({ language, url }) => alternate(`hreflang="${escapeHtml(language)}"`, url)),
        markdown === undefined ? "" : alternate('type="text/markdown"', relativeHref(route, markdownFileOf(route))),
        feedHref === undefined ? "" : alternate('type="application/rss+xml"', feedHref),
        '<meta name="color-scheme" content="light dark">',
        ...icons(view),
    ];
    return tags.map((tag) => (tag === "" ? "" : `${tag}\n`)).join("");
}

function icons({ settings: { favicon }, href }: PageView): string[] {
    if (favicon === undefined || href(favicon.light) === href(favicon.dark)) {
        // An empty icon stops browsers from requesting /favicon.ico, which the export does not contain.
        return [`<link rel="icon" href="${escapeHtml(favicon ? href(favicon.light) : "data:,")}">`];
    }
    return (["light", "dark"] as const).map(
        (scheme) =>
            `<link rel="icon" href="${escapeHtml(href(favicon[scheme]))}" media="(prefers-color-scheme: ${scheme})">`,
    );
}

/**
 * The settings may replace the domain, or the domain and the base path, with another address. Returns undefined if the
 * address is unknown.
 */
function canonicalOf({ page: { route, meta }, site, settings: { canonicalBase: base } }: PageView): string | undefined {
    if (meta.canonical !== undefined || base === undefined) {
        return meta.canonical ?? (hasDomain(site) ? canonicalUrl(site, route) : undefined);
    }
    const path = canonicalPath(route);
    return `${base}/${new URL(base).pathname === "/" ? belowBasePath(site.basePath, path) : path}`;
}

/** The page's own values take precedence over derived values, and derived values over the site's values. */
function tagsOf(view: PageView): Map<string, string> {
    const { page, description, siteName, settings, isIndexed, href } = view;
    const { title, meta } = page;
    const { keywords = [] } = meta;
    const tags = new Map<string, string>();
    const add = (entries: Readonly<Record<string, string | undefined>>) =>
        Object.entries(entries).forEach(([name, content]) => content !== undefined && tags.set(name, content));
    const addWhole = (given: Metatags = {}) =>
        Object.entries(given).forEach(([name, text]) => {
            const content = isAddressTag(name) && text !== "" ? wholeAddress(href(text), view) : text;
            return content === undefined ? tags.delete(name) : tags.set(name, content);
        });
    add({ "og:site_name": siteName });
    addWhole(settings.metatags);
    add({
        description,
        keywords: keywords.length === 0 ? undefined : keywords.join(", "),
        "og:title": title,
        "og:description": description,
        "og:url": canonicalOf(view),
    });
    addWhole(meta.metatags);
    if ((tags.has("og:image") || tags.has("twitter:image")) && !tags.has("twitter:card")) {
        tags.set("twitter:card", "summary_large_image");
    }
    if (meta.noindex === true || !isIndexed) {
        tags.set("robots", "noindex");
    }
    return tags;
}

/** Other sites fetch pictures, so the addresses of pictures are absolute; undefined without a domain. */
function wholeAddress(href: string, { page: { route }, site }: PageView): string | undefined {
    if (hasDomain(site)) {
        return new URL(href, siteUrl(site, canonicalPath(htmlFileOf(route)))).href;
    }
    return /^https?:/i.test(href) ? href : undefined;
}

/** Tags of Open Graph and related vocabularies use RDFa's `property`; all other tags use HTML's `name`. */
function attributeFor(name: string): string {
    return /^(?:og|article|book|music|profile|video|fb):/.test(name) ? "property" : "name";
}
