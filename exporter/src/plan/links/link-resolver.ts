import { beginningOf, decodeUri, trimSlashes, trimTrailing } from "@pulumi-static-export/contract";
import { posix } from "node:path";
import { whyRefused } from "../../html/page-scripts.js";
import { nearestRoute } from "./nearest-route.js";
import { type Redirects } from "./redirects.js";
import {
    canonicalUrl,
    homeRoute,
    htmlFileOf,
    relativeHref,
    routeOfFile,
    type SiteAddress,
} from "../../read/files/routes.js";

/** The maximum number of consecutive redirects; a longer chain counts as a loop. */
const maxRedirects = 5;

/** Servers accept paths of about 8,000 characters. */
const maxPath = 16_000;

const homeFile = htmlFileOf(homeRoute);

/** A set of routes, or a map by route, because a second collection would take much memory for a large site. */
export type Routes = Pick<ReadonlySet<string>, "has" | "size" | "keys">;

export interface LinkTargets extends SiteAddress {
    /** Path prefixes such as `docs`, below which the site is served; root-relative links may begin with them. */
    readonly linkPrefixes: readonly string[];
    /** The file of the home page, without its extension, if the file's name does not show that it is the home page. */
    readonly home?: string;
    /** All pages of the site by route, exported or not. */
    readonly pages: ReadonlyMap<string, { readonly file: string }>;
    readonly assets: ReadonlySet<string>;
    /** The routes of pages, and the files, that the export omits because only certain readers may see them. */
    readonly forNobody: ReadonlySet<string>;
    /** Unfinished pages that the export omits, by route. */
    readonly drafts?: ReadonlyMap<string, { readonly file: string }>;
    readonly redirects: Redirects;
    /**
     * Whether settings show where the site's root is. If no settings show the root, the folder may be a subfolder of
     * the site.
     */
    readonly isRootKnown: boolean;
    /** Routes that this export writes: all except the omitted routes, or only the routes in `paths`. */
    readonly exported: Routes;
    /** Called with each asset that a link targets. */
    readonly onAsset?: (file: string) => void;
}

export interface ResolvedLink {
    readonly href: string;
    /** Why the link is broken. The export continues, and the caller reports the problem. */
    readonly problem?: string;
}

/** A link, and its target when the page was rendered. The cached page stays valid while the target is the same. */
export interface SeenLink {
    readonly href: string;
    readonly resolved: string;
    /** Why the link is broken; undefined for a working link. */
    readonly problem?: string | undefined;
    /** The file that contains the link, if it is not the page's own file. */
    readonly file?: string;
    readonly line?: number | undefined;
}

/**
 * Rewrites a link in a source file into a link that works in the export: `/guides/start`, `./start.md`,
 * `start.mdx#install` all become relative links to an `.html` file. Links to other hosts and to anchors are not
 * changed.
 */
export function resolveLink(
    href: string,
    from: { file: string; route: string },
    targets: LinkTargets,
    redirectsLeft = maxRedirects,
): ResolvedLink {
    const refusal = whyRefused(href);
    if (refusal !== undefined) {
        return { href: "#", problem: `the link ${href} ${refusal}` };
    }
    if (href === "" || href.startsWith("#") || href.startsWith("//") || /^[a-z][a-z\d+.-]*:/i.test(href)) {
        return { href };
    }
    const suffixAt = href.search(/[?#]/);
    const path = suffixAt === -1 ? href : href.slice(0, suffixAt);
    const suffix = suffixAt === -1 ? "" : href.slice(suffixAt);
    if (path === "") {
        return { href };
    }
    if (path.length > maxPath) {
        return { href: "#", problem: `the link ${beginningOf(path, 60)}… is longer than servers accept` };
    }
    const decoded = decodeUri(path).normalize("NFC");
    const joined = decoded.startsWith("/") ? decoded.slice(1) : posix.join(posix.dirname(from.file), decoded);
    const target = trimTrailing(posix.normalize(joined), "/");
    if (target === ".." || target.startsWith("../")) {
        return { href, problem: `the link ${href} leaves the site's folder` };
    }

    const arrive = (place: string): ResolvedLink | undefined => {
        const route = findRoute(place, targets);
        if (route !== undefined) {
            return toPage(route, href, suffix, from.route, targets);
        }
        if (targets.assets.has(place)) {
            targets.onAsset?.(place);
            return { href: relativeHref(from.route, place) + suffix };
        }
        return undefined;
    };
    const found = arrive(target);
    if (found !== undefined) {
        return found;
    }
    const redirect = redirectsLeft === 0 ? undefined : targets.redirects.find(target);
    if (redirect !== undefined && redirect !== href) {
        const on = resolveLink(redirect, from, targets, redirectsLeft - 1);
        return { ...on, href: on.href + (on.href.includes("#") ? "" : suffix) };
    }
    // Every export contains an index.html, which redirects to the first page if the site has no page called index.
    if (["", ".", homeFile].includes(target)) {
        return { href: relativeHref(from.route, homeFile) + suffix };
    }
    for (const below of withoutPrefix(path, targets)) {
        const there = resolveLink(`/${below}${suffix}`, from, targets, redirectsLeft);
        if (there.problem === undefined) {
            return there;
        }
    }
    if (!targets.isRootKnown && decoded.startsWith("/")) {
        for (const place of placesBelow(decoded, from.file)) {
            const there = arrive(place);
            if (there !== undefined) {
                return there;
            }
        }
    }
    const draft = targets.drafts?.get(findRoute(target, { pages: targets.drafts }) ?? "");
    return {
        href: relativeHref(from.route, target) + suffix,
        problem: targets.forNobody.has(target)
            ? `the link ${href} leads to ${target}, ${whyOmitted}`
            : draft !== undefined
              ? `the link ${href} leads to ${draft.file}, which is left out because it is a draft`
              : `the link ${href} leads to no page and no file of this site${suggestionFor(target, targets)}`,
    };
}

function suggestionFor(target: string, { pages, forNobody }: LinkTargets): string {
    const meant = nearestRoute(target.replace(/\.(?:mdx?|html)$/i, ""), pages);
    return meant === undefined || forNobody.has(meant) ? "" : `: did you mean /${meant}?`;
}

/** Returns the rest of a root-relative path after one of the site's prefixes, without a leading slash. */
export function withoutPrefix(path: string, { linkPrefixes }: Pick<LinkTargets, "linkPrefixes">): string[] {
    return linkPrefixes
        .filter((prefix) => path === `/${prefix}` || path.startsWith(`/${prefix}/`))
        .map((prefix) => path.slice(prefix.length + 1).replace(/^\/+/, ""));
}

/** The exported folder may be a part of the site: the site's root may be any folder around a page. */
function placesBelow(path: string, file: string): string[] {
    const folders = posix.dirname(file).split("/");
    return folders.map((_, depth) => trimTrailing(posix.join(...folders.slice(0, depth + 1), path), "/"));
}

/**
 * Returns the page or the excluded file that a link in the settings targets, in any notation, even through redirects.
 */
export function routeOfLink(href: string, targets: LinkTargets, redirectsLeft = maxRedirects): string | undefined {
    const path = href.length > maxPath ? undefined : pathOnSite(href, targets);
    if (path === undefined) {
        return undefined;
    }
    const places = placesOf(path, targets);
    const route = routeAt(path, targets);
    const redirect = redirectsLeft === 0 ? undefined : targets.redirects.find(places[0] ?? "");
    return (
        route ??
        places.find((place) => targets.forNobody.has(place)) ??
        (redirect && routeOfLink(redirect, targets, redirectsLeft - 1)) ??
        places.map((place) => routeInAnyCase(place, targets)).find((found) => found !== undefined)
    );
}

/** The page at a root-relative path, in any notation. */
export function routeAt(
    path: string,
    targets: Pick<LinkTargets, "pages" | "home" | "linkPrefixes">,
): string | undefined {
    return placesOf(path, targets)
        .map((place) => findRoute(place, targets))
        .find((route) => route !== undefined);
}

function placesOf(path: string, targets: Pick<LinkTargets, "linkPrefixes">): string[] {
    return [path, ...withoutPrefix(path, targets)].map(trimSlashes);
}

/** The path of an address on the site, with or without the site's domain; undefined for other addresses. */
function pathOnSite(href: string, { domain }: LinkTargets): string | undefined {
    const [written = ""] = href.trim().split(/[?#]/, 1);
    const [origin = "", host] = /^(?:https?:)?\/\/([^/:]*)(?::\d+)?/i.exec(written) ?? [];
    const isElsewhere = host === undefined ? /^[a-z][a-z\d+.-]*:/i.test(written) : host.toLowerCase() !== domain;
    return isElsewhere ? undefined : posix.normalize(`/${decodeUri(written.slice(origin.length)).normalize("NFC")}`);
}

/** Finds a page regardless of case, because some hosts ignore the case of addresses. */
function routeInAnyCase(place: string, { pages }: LinkTargets): string | undefined {
    let routes = routesInLowerCase.get(pages);
    if (routes === undefined) {
        routes = new Map([...pages.keys()].map((route) => [route.toLowerCase(), route]));
        routesInLowerCase.set(pages, routes);
    }
    const found = findRoute(place.toLowerCase(), { pages: routes });
    return found === undefined ? undefined : routes.get(found);
}

const routesInLowerCase = new WeakMap<LinkTargets["pages"], Map<string, string>>();

function toPage(route: string, href: string, suffix: string, fromRoute: string, targets: LinkTargets): ResolvedLink {
    const resolved = relativeHref(fromRoute, htmlFileOf(route)) + suffix;
    if (targets.exported.has(route)) {
        return { href: resolved };
    }
    return targets.forNobody.has(route)
        ? { href: resolved, problem: `the link ${href} leads to ${targets.pages.get(route)?.file}, ${whyOmitted}` }
        : // A part of a site links to the rest of it on the domain of the whole site.
          { href: canonicalUrl(targets, route) + suffix };
}

const whyOmitted = "which is left out because it is for certain readers";

function findRoute(
    target: string,
    { pages, home }: { readonly pages: ReadonlyMap<string, unknown>; readonly home?: string },
): string | undefined {
    if (target === "" || target === ".") {
        return pages.has(homeRoute) ? homeRoute : undefined;
    }
    if (pages.has(target)) {
        return target;
    }
    const withoutExtension = target.replace(/\.(?:mdx?|html)$/i, "");
    if (home !== undefined && withoutExtension === home && pages.has(homeRoute)) {
        return homeRoute;
    }
    const asFile = [withoutExtension, routeOfFile(`${withoutExtension}.md`)].find((route) => pages.has(route));
    if (asFile !== undefined) {
        return asFile;
    }
    // The folder's README is the folder's page.
    const folder = /^(?:(.*)\/)?readme$/i.exec(withoutExtension);
    if (folder === null) {
        return undefined;
    }
    const route = folder[1] ?? homeRoute;
    return pages.has(route) ? route : undefined;
}
