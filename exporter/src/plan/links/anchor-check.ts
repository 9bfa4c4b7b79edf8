import { decodeUri } from "@pulumi-static-export/contract";
import { posix } from "node:path";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { htmlFileOf } from "../../read/files/routes.js";
import { type SeenLink } from "./link-resolver.js";
import { type SiteWarning, type SourcePlace } from "../../problems/warning-log.js";
import { escapeHtml } from "../../text/html-text.js";
import { lettersOf } from "../../text/strings.js";
import { NumberSet } from "../../text/number-set.js";

/** A link to a part of a page, such as `start.html#install`. */
export interface AnchorLink extends SourcePlace {
    /** The link as the author wrote it. */
    readonly href: string;
    readonly route: string;
    readonly anchor: string;
}

const missingPart = "which has no heading or element with the id";

/** Whether the warning is about a link to a part that is missing from its page. */
export function isMissingPart({ reason }: SiteWarning): boolean {
    return reason.includes(missingPart);
}

/**
 * The links of pages to parts, and the ids of pages as hashes, because the text of all ids of a large site takes too
 * much memory.
 */
export interface PageAnchors {
    readonly ids: ArrayLike<number>;
    /** For each link, three ids that the linked part may have. */
    readonly targets: ArrayLike<number>;
    /** Returns the links; called only if a linked part is missing. */
    readonly links: () => readonly AnchorLink[];
    /** Whether the links stay on disk until `links` is called. */
    readonly areLinksStored: boolean;
}

/** @param html the page's body @param links the body's links */
export function anchorsOf(
    { route, file }: { readonly route: string; readonly file: string },
    html: string,
    links: readonly SeenLink[],
): PageAnchors {
    const ids: number[] = [];
    for (const { 1: id = "", index } of html.matchAll(/ (?:id|name)="([^"]+)"/g)) {
        ids.push(...idsOfElement(route, id));
        if (/^<h[1-6][^<>]*$/.test(html.slice(html.lastIndexOf("<", index), index))) {
            ids.push(hashOf(route, lettersOf(id)));
        }
    }
    const linked = links.flatMap(({ file: linkFile = file, line, href, resolved }): AnchorLink[] => {
        const target = targetOf(resolved, route);
        return target === undefined ? [] : [{ file: linkFile, line, href, ...target }];
    });
    return { ids, targets: linked.flatMap(idsOfTarget), links: () => linked, areLinksStored: false };
}

/** @param ids of the page's elements */
export function anchorsOfFinishedPage(
    route: string,
    ids: readonly string[],
    links: readonly AnchorLink[],
): PageAnchors {
    return {
        ids: ids.flatMap((id) => [...idsOfElement(route, escapeHtml(id)), hashOf(route, lettersOf(id))]),
        targets: links.flatMap(idsOfTarget),
        links: () => links,
        areLinksStored: false,
    };
}

export function joinAnchors(all: readonly PageAnchors[]): PageAnchors {
    return {
        ids: all.flatMap(({ ids }) => Array.from(ids)),
        targets: all.flatMap(({ targets }) => Array.from(targets)),
        links: () => all.flatMap(({ links }) => links()),
        areLinksStored: false,
    };
}

/** Browsers also find an id with escapes, such as `fn-%C3%BC` of a footnote, by the same escapes in a link. */
function idsOfElement(route: string, id: string): number[] {
    return (id.includes("%") ? [id, escapeHtml(decodeUri(id))] : [id]).map((each) => hashOf(route, each));
}

const idsOfALink = 3;
const noId = -1;

/**
 * The ids by which browsers and the pages' script find a part; platforms differ in their use of upper and lower case.
 */
function idsOfTarget({ route, anchor }: AnchorLink): number[] {
    const ids = [escapeHtml(anchor), escapeHtml(anchor.toLowerCase()), lettersOf(anchor)];
    return ids.map((id) => (id === "" ? noId : hashOf(route, id)));
}

/** The usual number of ids of a page, which has two for each heading. */
const idsOfAPage = 16;

/** The number of pages whose links are packed together. */
const pagesOfAPack = 64;

/** Links to parts that have not been found yet. */
type OpenLinks = Pick<PageAnchors, "targets" | "links">;

/** Records the ids of all pages, to find links to missing parts. */
export class AnchorCheck {
    readonly #ids: NumberSet;
    readonly #open: OpenLinks[] = [];
    /** The last few pages' links to parts that have not been found yet. */
    #recent: OpenLinks[] = [];

    constructor(pageCount = 0) {
        this.#ids = new NumberSet(pageCount * idsOfAPage);
    }

    add(anchors: PageAnchors): void {
        const { ids, areLinksStored } = anchors;
        for (let at = 0; at < ids.length; at += 1) {
            this.#ids.add(ids[at] as number);
        }
        const open = this.#openOf(anchors);
        if (open === undefined) {
            return;
        }
        if (areLinksStored) {
            this.#pack();
            this.#open.push(open);
        } else if (this.#recent.push(open) === pagesOfAPack) {
            this.#pack();
        }
    }

    /** Call this after all pages were added. @param fileOf returns the file of an exported page */
    warnings(fileOf: (route: string) => string | undefined): SiteWarning[] {
        this.#pack();
        return this.#open.flatMap((open) => {
            const missing = this.#openOf(open)?.links() ?? [];
            return missing.flatMap(({ file, line, href, route, anchor }): SiteWarning[] => {
                const target = fileOf(route);
                if (target === undefined) {
                    return [];
                }
                const reason = `the link ${href} leads to ${target}, ${missingPart} #${anchor}`;
                return [{ kind: "link", file, line, reason }];
            });
        });
    }

    /** Returns the links whose parts have not been found yet; undefined if all parts have been found. */
    #openOf({ targets, links }: OpenLinks): OpenLinks | undefined {
        const indexes: number[] = [];
        const open: number[] = [];
        for (let first = 0; first < targets.length; first += idsOfALink) {
            if (!this.#isFound(targets, first)) {
                indexes.push(first / idsOfALink);
                for (let at = first; at < first + idsOfALink; at += 1) {
                    open.push(targets[at] as number);
                }
            }
        }
        const ofIndexes = () => {
            const all = links();
            return indexes.map((index) => all[index] as AnchorLink);
        };
        return indexes.length === 0 ? undefined : { targets: Int32Array.from(open), links: ofIndexes };
    }

    /** @param first the index of the link's first id */
    #isFound(targets: ArrayLike<number>, first: number): boolean {
        for (let at = first; at < first + idsOfALink; at += 1) {
            if (this.#ids.has(targets[at] as number)) {
                return true;
            }
        }
        return false;
    }

    /** Packs the recent links as bytes, because a link's text keeps the text of its whole page in memory. */
    #pack(): void {
        const links = this.#recent.flatMap((open) => this.#openOf(open)?.links() ?? []);
        this.#recent = [];
        if (links.length > 0) {
            const packed = deflateRawSync(JSON.stringify(links), { level: 1 });
            this.#open.push({
                targets: Int32Array.from(links.flatMap(idsOfTarget)),
                links: () => JSON.parse(inflateRawSync(packed).toString("utf8")) as AnchorLink[],
            });
        }
    }
}

/** The part of a page that a link names; empty for none, and for `#top`, which browsers handle themselves. */
export function partOf(href: string): string {
    const [, fragment = ""] = href.split("#", 2);
    const anchor = decodeUri(fragment.replace(/:~:[^]*$/, ""));
    return anchor === "top" ? "" : anchor;
}

/** @param resolved the link, relative to the page of the route */
function targetOf(resolved: string, fromRoute: string): Pick<AnchorLink, "route" | "anchor"> | undefined {
    const [path = ""] = resolved.split("#", 1);
    const anchor = partOf(resolved);
    if (anchor === "" || /^(?:[a-z][a-z\d+.-]*:|\/)/i.test(path)) {
        return undefined;
    }
    const [file = ""] = path.split("?", 1);
    if (file === "") {
        return { route: fromRoute, anchor };
    }
    const target = posix.join(posix.dirname(htmlFileOf(fromRoute)), decodeUri(file));
    return target.endsWith(".html") ? { route: target.slice(0, -".html".length), anchor } : undefined;
}

/** A hash of 31 bits. @param id as written in the HTML */
function hashOf(route: string, id: string): number {
    let hash = 0x811c9dc5;
    for (const text of [route, "#", id]) {
        for (let at = 0; at < text.length; at += 1) {
            hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
        }
    }
    return (hash ^ (hash >>> 15)) & 0x7fffffff;
}
