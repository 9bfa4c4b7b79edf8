import { operationOf, type SitePage } from "../plan/site-page.js";
import { dayOfChange } from "../front-matter/days.js";
import { type SiteSettings } from "../settings/site-settings.js";
import { isAddressTag, type Metatags } from "../front-matter/metatags.js";
import { belowBasePath, canonicalPath, canonicalUrl, htmlFileOf, siteUrl, type SiteAddress } from "../files/routes.js";
import { type Endpoint } from "./article.js";
import { type PageMetadata } from "./meta-tags.js";
import { type PageLabel } from "./sidebar.js";

export interface PageSurroundings {
    readonly settings: SiteSettings;
    readonly site: SiteAddress;
    /** Whether search engines may list the page, as far as the site is concerned. */
    readonly isIndexed: boolean;
    /** A link of the settings, as it holds on the page. */
    readonly href: (href: string) => string;
}

/** What a page tells search engines and those who show previews of links to it. */
export function metadataOf({ route, meta }: SitePage, surroundings: PageSurroundings): PageMetadata {
    const { settings, site, isIndexed, href } = surroundings;
    // Pictures are fetched by others, so their addresses are whole.
    const file = siteUrl(site, canonicalPath(htmlFileOf(route)));
    const whole = (tags: Metatags = {}): Metatags =>
        Object.fromEntries(
            Object.entries(tags).map(([name, text]) => [
                name,
                isAddressTag(name) && text !== "" ? new URL(href(text), file).href : text,
            ]),
        );
    return {
        canonicalUrl: meta.canonical ?? canonicalOf(route, site, settings.canonicalBase),
        noindex: meta.noindex === true || !isIndexed,
        keywords: meta.keywords ?? [],
        siteTags: whole(settings.metatags),
        pageTags: whole(meta.metatags),
    };
}

/** @param base what the settings have in place of the domain, or of domain and base path */
function canonicalOf(route: string, site: SiteAddress, base: string | undefined): string {
    if (base === undefined) {
        return canonicalUrl(site, route);
    }
    const path = canonicalPath(route);
    return `${base}/${new URL(base).pathname === "/" ? belowBasePath(site.basePath, path) : path}`;
}

/** The day of a page's last change, where the site or the page wants it shown. */
export function shownDayOf({ meta }: SitePage, settings: SiteSettings): string | undefined {
    return (meta.timestamp ?? settings.timestamp) === true ? dayOfChange(meta) : undefined;
}

/** `api: POST /v1/users` of a page that no document describes. */
export function endpointOf(page: SitePage, { apiServer = "" }: SiteSettings): Endpoint | undefined {
    const [, method, path] = /^\s*([a-z]{3,10})\s+(\S+)\s*$/i.exec(page.meta.api ?? "") ?? [];
    return operationOf(page) !== undefined || method === undefined || path === undefined
        ? undefined
        : { method: method.toLowerCase(), address: /^https?:/i.test(path) ? path : apiServer + path };
}

/** The data of a page that the navigation shows. */
export function labelOf(page: SitePage): PageLabel {
    const { label, meta } = page;
    const operation = operationOf(page);
    return {
        title: label,
        icon: meta,
        tag: meta.tag,
        method:
            meta.hideApiMarker === true
                ? undefined
                : (operation?.method ?? /^\s*([a-z]+)\s/i.exec(meta.api ?? "")?.[1]?.toLowerCase()),
        isDeprecated: meta.deprecated === true || operation?.isDeprecated === true,
        description: meta.description,
        url: meta.url,
    };
}
