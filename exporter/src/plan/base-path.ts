import { parseBasePath } from "@pulumi-static-export/contract";
import { type LinkTargets, withoutPrefix } from "./links/link-resolver.js";
import { type Redirect } from "../read/settings/setting-values.js";
import { type SiteSettings } from "../read/settings/site-settings.js";

export type SitePlace = Pick<LinkTargets, "basePath" | "linkPrefixes">;

/** Platforms serve sites below this path of a company's domain, so authors write links with and without this path. */
const usualPrefix = "docs";

/**
 * Returns the path on its domain below which a site is served: from the export's options, or else from the site's
 * canonical address if this address has the same domain. A canonical address on another domain only shows how links may
 * be written.
 */
export function placeOfSite(
    { domain, basePath }: { readonly domain: string; readonly basePath: string | undefined },
    canonicalBase: string | undefined,
): SitePlace {
    const canonical = canonicalBase === undefined ? undefined : new URL(canonicalBase);
    const canonicalPath = canonical === undefined ? "" : (parseBasePath(canonical.pathname) ?? "");
    const own = basePath ?? (canonical?.hostname === domain ? canonicalPath : "");
    const prefixes = [own, canonicalPath, usualPrefix].filter((prefix) => prefix !== "");
    return { basePath: own, linkPrefixes: [...new Set(prefixes)] };
}

/** Redirects may contain addresses with or without the base path. */
export function withinBasePath(settings: SiteSettings, basePath: string): SiteSettings {
    if (basePath === "" || settings.redirects === undefined) {
        return settings;
    }
    const strip = (address: string) => {
        const [path] = withoutPrefix(address, { linkPrefixes: [basePath] });
        return path === undefined ? address : `/${path}`;
    };
    const redirects = settings.redirects.map((redirect): Redirect => ({
        ...redirect,
        source: strip(redirect.source),
        destination: strip(redirect.destination),
    }));
    return { ...settings, redirects: redirects.filter(({ source, destination }) => source !== destination) };
}
