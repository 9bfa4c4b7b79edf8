import { intersectionOf } from "../read/readers/readers.js";
import { type NavigationReaders } from "./navigation/navigation.js";
import { type SiteWarning } from "../problems/warning-log.js";
import { operationOf, type SitePage } from "./site-page.js";

/** How an export treats pages that only certain readers may see. */
export type PrivatePages = "leave-out" | "publish" | "keep-apart";

/** The readers of a private page, and why the page is private. */
export interface PageReaders {
    readonly readers: readonly string[] | "nobody";
    readonly cause: string;
    /** The line in the page's file; undefined if the readers are set elsewhere. */
    readonly line: number | undefined;
}

/**
 * The readers of private pages by route. The page's own `groups` count first, then its own `public`, then the innermost
 * entry of the navigation that has a value. If neither the page nor the navigation sets a value, the page is for
 * everybody, unless the settings show that the site needs a login.
 */
export function readersOfPages(
    pages: ReadonlyMap<string, SitePage>,
    navigation: NavigationReaders | undefined,
): Map<string, PageReaders> {
    const isOpened = ([route, page]: [string, SitePage]) =>
        isSaidPublic(page) && ownReaders(page) === undefined && navigation?.isPublic.has(route) !== true;
    const needsLogin = navigation?.needsLogin === true || [...pages].some(isOpened);
    const found = new Map<string, PageReaders>();
    for (const [route, page] of pages) {
        const around = isSaidPublic(page) ? undefined : readersAround(navigation?.isPublic.get(route), needsLogin);
        const own = ownReaders(page) ?? around;
        const ofApi = readersOfApi(page);
        const readers = narrowed(own, ofApi);
        if (readers !== undefined) {
            found.set(route, readers);
        }
    }
    return found;
}

/** The note for the site's authors about a page that is not public. */
export function warningOfReaders(
    { file }: SitePage,
    { cause, line, readers }: PageReaders,
    privatePages: PrivatePages,
): SiteWarning | undefined {
    if (privatePages === "keep-apart" && readers !== "nobody") {
        return undefined;
    }
    const reason = {
        publish: `${cause} has no effect: an exported site has no login, and everyone who reaches the site can read this page`,
        "leave-out":
            `${cause}: the page is for certain readers, so it is left out. Use --access to export it for them, or ` +
            "--publish-groups to export it for everybody",
        "keep-apart":
            `${cause}: no reader may read the page, so it is left out. The value of groups must be a list of ` +
            "names",
    }[privatePages];
    return { kind: "access", file, line, reason };
}

function ownReaders({ meta: { readers = {} } }: SitePage): PageReaders | undefined {
    const { groups, isPublic, misspelledKey: cause = "groups", line } = readers;
    if (groups !== undefined) {
        return { readers: groups, cause, line };
    }
    return isPublic === false ? { readers: [], cause: "public: false", line } : undefined;
}

function isSaidPublic({ meta: { readers } }: SitePage): boolean {
    return readers?.isPublic === true;
}

function readersAround(isPublic: boolean | undefined, needsLogin: boolean): PageReaders | undefined {
    if (isPublic === false) {
        return { readers: [], cause: "public: false in the navigation", line: undefined };
    }
    return isPublic === undefined && needsLogin
        ? { readers: [], cause: "a login, because other pages have public: true", line: undefined }
        : undefined;
}

function readersOfApi(page: SitePage): PageReaders | undefined {
    const { subject } = page;
    const readers = subject?.kind === "model" && subject.isPrivate ? "nobody" : operationOf(page)?.groups;
    return readers === undefined ? undefined : { readers, cause: "x-mint.groups", line: undefined };
}

function narrowed(one: PageReaders | undefined, other: PageReaders | undefined): PageReaders | undefined {
    if (one === undefined || other === undefined) {
        return one ?? other;
    }
    const readers =
        one.readers === "nobody" || other.readers === "nobody" ? "nobody" : intersectionOf(one.readers, other.readers);
    return { ...one, readers };
}
