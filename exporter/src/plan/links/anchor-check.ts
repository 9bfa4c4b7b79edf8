import { decodeUri } from "../../text/decode-uri.js";
import { posix } from "node:path";
import { htmlFileOf } from "../../read/files/routes.js";
import { type SeenLink } from "./link-resolver.js";
import { type SiteWarning, type SourcePlace } from "../../problems/warnings.js";
import { escapeHtml } from "../../text/html-text.js";
import { lettersOf } from "../../text/strings.js";

/** A link to a part of a page, such as `start.html#install`. */
export interface AnchorLink extends SourcePlace {
    /** The link as the author wrote it. */
    readonly href: string;
    readonly route: string;
    readonly anchor: string;
}

const missingPart = "which has no heading or other part";

/** Whether the warning is about a link to a part that the page does not have. */
export function isMissingPart({ reason }: SiteWarning): boolean {
    return reason.includes(missingPart);
}

/** The ids of pages, as hashes, because the texts of a large site take too much memory; and their links to parts. */
export interface PageAnchors {
    readonly ids: ArrayLike<number>;
    /** For each link, three ids by which its part may be found. */
    readonly parts: ArrayLike<number>;
    /** Read only for links to missing parts. */
    readonly links: () => readonly AnchorLink[];
}

/** @param html the page's body @param links those of the body */
export function anchorsOf(
    { route, file }: { readonly route: string; readonly file: string },
    html: string,
    links: readonly SeenLink[],
): PageAnchors {
    const ids: number[] = [];
    for (const { 1: id = "", index } of html.matchAll(/ (?:id|name)="([^"]+)"/g)) {
        ids.push(hashOf(route, id));
        if (/^<h[1-6][^<>]*$/.test(html.slice(html.lastIndexOf("<", index), index))) {
            ids.push(hashOf(route, lettersOf(id)));
        }
    }
    const toParts = links.flatMap(({ file: linkFile = file, line, href, resolved }): AnchorLink[] => {
        const target = targetOf(resolved, route);
        return target === undefined ? [] : [{ file: linkFile, line, href, ...target }];
    });
    return { ids, parts: toParts.flatMap(idsOfPart), links: () => toParts };
}

export function joinAnchors(all: readonly PageAnchors[]): PageAnchors {
    return {
        ids: all.flatMap(({ ids }) => Array.from(ids)),
        parts: all.flatMap(({ parts }) => Array.from(parts)),
        links: () => all.flatMap(({ links }) => links()),
    };
}

const idsOfALink = 3;
const noId = -1;

/** The ids by which browsers and the pages' script find a part; platforms differ in upper and lower case. */
function idsOfPart({ route, anchor }: AnchorLink): number[] {
    const ids = [escapeHtml(anchor), escapeHtml(anchor.toLowerCase()), lettersOf(anchor)];
    return ids.map((id) => (id === "" ? noId : hashOf(route, id)));
}

/** Records the ids of all pages, to find links to missing parts. */
export class AnchorCheck {
    readonly #ids = new Set<number>();
    readonly #open: { readonly anchors: PageAnchors; readonly indexes: readonly number[] }[] = [];

    add(anchors: PageAnchors): void {
        const { ids, parts } = anchors;
        for (let at = 0; at < ids.length; at += 1) {
            this.#ids.add(ids[at] as number);
        }
        const indexes = Array.from({ length: parts.length / idsOfALink }, (_, index) => index);
        const open = indexes.filter((index) => !this.#has(parts, index));
        if (open.length > 0) {
            this.#open.push({ anchors, indexes: open });
        }
    }

    /** Call it after all pages were added. @param files exported page files by route */
    warnings(files: ReadonlyMap<string, string>): SiteWarning[] {
        return this.#open.flatMap(({ anchors: { parts, links }, indexes }) => {
            const missing = indexes.filter((index) => !this.#has(parts, index));
            const all = missing.length === 0 ? [] : links();
            return missing.flatMap((index): SiteWarning[] => {
                const { file, line, href, route, anchor } = all[index] as AnchorLink;
                const target = files.get(route);
                if (target === undefined) {
                    return [];
                }
                const reason = `the link ${href} leads to ${target}, ${missingPart} #${anchor}`;
                return [{ kind: "link", file, line, reason }];
            });
        });
    }

    #has(parts: ArrayLike<number>, index: number): boolean {
        const first = index * idsOfALink;
        return [first, first + 1, first + 2].some((at) => this.#ids.has(parts[at] as number));
    }
}

/** @param resolved the link as it is on the route's page */
function targetOf(resolved: string, fromRoute: string): Pick<AnchorLink, "route" | "anchor"> | undefined {
    const [path = "", fragment = ""] = resolved.split("#", 2);
    const anchor = decodeUri(fragment.replace(/:~:.*$/, ""));
    // Browsers handle #top themselves.
    if (anchor === "" || anchor === "top" || /^(?:[a-z][a-z\d+.-]*:|\/)/i.test(path)) {
        return undefined;
    }
    const [file = ""] = path.split("?", 1);
    if (file === "") {
        return { route: fromRoute, anchor };
    }
    const target = posix.join(posix.dirname(htmlFileOf(fromRoute)), decodeUri(file));
    return target.endsWith(".html") ? { route: target.slice(0, -".html".length), anchor } : undefined;
}

/** 31 bits, which a set stores without extra memory. @param id as written in the HTML */
function hashOf(route: string, id: string): number {
    let hash = 0x811c9dc5;
    for (const text of [route, "#", id]) {
        for (let at = 0; at < text.length; at += 1) {
            hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
        }
    }
    return (hash ^ (hash >>> 15)) & 0x7fffffff;
}
