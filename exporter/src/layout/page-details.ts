import { type SitePage } from "../plan/site-page.js";
import { dayOfChange } from "../front-matter/days.js";
import { type SiteSettings } from "../settings/docs-config.js";
import { isAddressTag, type Metatags } from "../front-matter/metatags.js";
import { canonicalUrl, htmlFileOf } from "../files/routes.js";
import { type PageMetadata } from "./meta-tags.js";
import { type PageLabel } from "./sidebar.js";

export interface PageSurroundings {
    readonly settings: SiteSettings;
    readonly domain: string;
    /** Whether search engines may list the page, as far as the site is concerned. */
    readonly isIndexed: boolean;
    /** A link of the settings, as it holds on the page. */
    readonly href: (href: string) => string;
}

/** What a page tells search engines and those who show previews of links to it. */
export function metadataOf({ route, meta }: SitePage, surroundings: PageSurroundings): PageMetadata {
    const { settings, domain, isIndexed, href } = surroundings;
    const own = canonicalUrl(domain, route);
    const { origin } = new URL(own);
    const base = settings.canonicalBase;
    // Pictures are fetched by others, so their addresses are whole.
    const file = canonicalUrl(domain, htmlFileOf(route));
    const whole = (tags: Metatags = {}): Metatags =>
        Object.fromEntries(
            Object.entries(tags).map(([name, text]) => [
                name,
                isAddressTag(name) && text !== "" ? new URL(href(text), file).href : text,
            ]),
        );
    return {
        canonicalUrl: meta.canonical ?? (base === undefined ? own : base + own.slice(origin.length)),
        noindex: meta.noindex === true || !isIndexed,
        keywords: meta.keywords ?? [],
        siteTags: whole(settings.metatags),
        pageTags: whole(meta.metatags),
    };
}

/** The day of a page's last change, where the site or the page wants it shown. */
export function shownDayOf({ meta }: SitePage, settings: SiteSettings): string | undefined {
    return (meta.timestamp ?? settings.timestamp) === true ? dayOfChange(meta) : undefined;
}

/** `api: POST /v1/users` of a page that no document describes. */
export function endpointOf(
    { meta, operation }: SitePage,
    { apiServer = "" }: SiteSettings,
): { method: string; address: string } | undefined {
    const [, method, path] = /^\s*([a-z]{3,10})\s+(\S+)\s*$/i.exec(meta.api ?? "") ?? [];
    return operation !== undefined || method === undefined || path === undefined
        ? undefined
        : { method: method.toLowerCase(), address: /^https?:/i.test(path) ? path : apiServer + path };
}

/** What the navigation shows of a page. */
export function labelOf({ label, meta, operation }: SitePage): PageLabel {
    return {
        title: label,
        icon: meta,
        tag: meta.tag,
        method:
            meta.hideApiMarker === true
                ? undefined
                : (operation?.method ?? /^\s*([a-z]+)\s/i.exec(meta.api ?? "")?.[1]?.toLowerCase()),
        isDeprecated: meta.deprecated === true || operation?.isDeprecated === true,
        url: meta.url,
    };
}
