import { intersectionOf } from "../read/access/audience.js";
import { lineOfKey } from "../read/front-matter/front-matter.js";
import { type NavigationLimits } from "./navigation/navigation-limits.js";
import { type SiteWarning } from "../problems/warnings.js";
import { operationOf, type SitePage } from "./site-page.js";

/** How an export treats pages that only certain readers may see. */
export type PrivatePages = "leave-out" | "publish" | "keep-apart";

/** The readers of a page that is not public, and the cause of this limit. */
export interface PageLimit {
    readonly readers: readonly string[] | "nobody";
    readonly cause: string;
    /** The line in the page's file; undefined if the readers are set elsewhere. */
    readonly line: number | undefined;
}

/**
 * The limits of pages by route. The page's own `groups` count first, then its own `public`, then the innermost part of
 * the navigation that has a value. If neither the page nor the navigation sets a value, the page is for everybody,
 * unless the settings show that the site needs a login.
 */
export function limitsOfPages(
    pages: ReadonlyMap<string, SitePage>,
    navigation: NavigationLimits | undefined,
): Map<string, PageLimit> {
    const isOpened = ([route, page]: [string, SitePage]) =>
        isSaidPublic(page) && ownLimit(page) === undefined && navigation?.isPublic.has(route) !== true;
    const needsLogin = navigation?.needsLogin === true || [...pages].some(isOpened);
    const limits = new Map<string, PageLimit>();
    for (const [route, page] of pages) {
        const limit = narrowed(
            ownLimit(page) ??
                (isSaidPublic(page) ? undefined : limitAround(navigation?.isPublic.get(route), needsLogin)),
            limitOfApi(page),
        );
        if (limit !== undefined) {
            limits.set(route, limit);
        }
    }
    return limits;
}

/** The effect of limits on an export: excluded pages, and the readers of private pages. */
export function accessOf(
    limits: ReadonlyMap<string, PageLimit>,
    privatePages: PrivatePages,
): { leftOut: ReadonlySet<string>; readers: ReadonlyMap<string, readonly string[]> } {
    const leftOut = new Set<string>();
    const readersOfPages = new Map<string, readonly string[]>();
    for (const [route, { readers }] of privatePages === "publish" ? [] : limits) {
        if (privatePages === "keep-apart" && readers !== "nobody") {
            readersOfPages.set(route, readers);
        } else {
            leftOut.add(route);
        }
    }
    return { leftOut, readers: readersOfPages };
}

/** The sets of readers, without duplicates. */
export function distinctAudiences(readers: ReadonlyMap<string, readonly string[]>): (readonly string[])[] {
    return [...new Map([...readers.values()].map((groups) => [JSON.stringify(groups), groups])).values()];
}

/** The note for the site's authors about a page that is not public. */
export function limitWarning(
    { file }: SitePage,
    { cause, line, readers }: PageLimit,
    privatePages: PrivatePages,
): SiteWarning | undefined {
    if (privatePages === "keep-apart" && readers !== "nobody") {
        return undefined;
    }
    const reason = {
        publish: `${cause} has no effect: an exported site has no login, and everyone who reaches the site reads this page`,
        "leave-out": `${cause}: the page is for certain readers, so it is left out; --access exports it for them, --publish-groups for everybody`,
        "keep-apart": `${cause}: no reader may read the page, so it is left out; groups must be a list of names`,
    }[privatePages];
    return { kind: "access", file, line, reason };
}

function ownLimit(page: SitePage): PageLimit | undefined {
    const { groups, isPublic } = page.meta.limits ?? {};
    const lineOf = (key: string) => (page.hasSource ? lineOfKey(page.source, key) : undefined);
    if (groups !== undefined) {
        return { readers: groups, cause: "groups", line: lineOf("groups") };
    }
    return isPublic === false ? { readers: [], cause: "public: false", line: lineOf("public") } : undefined;
}

function isSaidPublic({ meta: { limits } }: SitePage): boolean {
    return limits?.isPublic === true;
}

function limitAround(isPublic: boolean | undefined, needsLogin: boolean): PageLimit | undefined {
    if (isPublic === false) {
        return { readers: [], cause: "public: false in the navigation", line: undefined };
    }
    return isPublic === undefined && needsLogin
        ? { readers: [], cause: "a login, which public: true on other pages implies", line: undefined }
        : undefined;
}

function limitOfApi(page: SitePage): PageLimit | undefined {
    const { subject } = page;
    const readers = subject?.kind === "model" && subject.isLimited ? "nobody" : operationOf(page)?.groups;
    return readers === undefined ? undefined : { readers, cause: "x-mint.groups", line: undefined };
}

function narrowed(one: PageLimit | undefined, other: PageLimit | undefined): PageLimit | undefined {
    if (one === undefined || other === undefined) {
        return one ?? other;
    }
    const readers =
        one.readers === "nobody" || other.readers === "nobody" ? "nobody" : intersectionOf(one.readers, other.readers);
    return { ...one, readers };
}
