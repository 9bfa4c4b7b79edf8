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
    readonly ids: readonly number[];
    readonly links: readonly AnchorLink[];
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
    return { ids, links: toParts };
}

/** Records the ids of all pages, to find links to missing parts. */
export class AnchorCheck {
    readonly #ids = new Set<number>();
    readonly #links: AnchorLink[] = [];

    add({ ids, links }: PageAnchors): void {
        ids.forEach((id) => this.#ids.add(id));
        this.#links.push(...links.filter((link) => !this.#has(link)));
    }

    /** Call it after all pages were added. @param files exported page files by route */
    warnings(files: ReadonlyMap<string, string>): SiteWarning[] {
        return this.#links.flatMap((link): SiteWarning[] => {
            const { file, line, href, route, anchor } = link;
            const target = files.get(route);
            if (target === undefined || this.#has(link)) {
                return [];
            }
            const reason = `the link ${href} leads to ${target}, ${missingPart} #${anchor}`;
            return [{ kind: "link", file, line, reason }];
        });
    }

    /**
     * Whether the page has such a part, as browsers or the pages' script find it; the rules of platforms differ in
     * upper and lower case.
     */
    #has({ route, anchor }: Pick<AnchorLink, "route" | "anchor">): boolean {
        const isId = (id: string) => id !== "" && this.#ids.has(hashOf(route, id));
        return isId(escapeHtml(anchor)) || isId(escapeHtml(anchor.toLowerCase())) || isId(lettersOf(anchor));
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
