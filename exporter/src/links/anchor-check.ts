import { decodeUri } from "../text/decode-uri.js";
import { posix } from "node:path";
import { htmlFileOf } from "../files/routes.js";
import { type SeenLink } from "./link-resolver.js";
import { type SiteWarning, type SourcePlace } from "../problems/warnings.js";
import { escapeHtml } from "../text/html-text.js";
import { lettersOf } from "../text/letters.js";

/** A link to a part of a page, such as `start.html#install`. */
export interface AnchorLink extends SourcePlace {
    /** As the author wrote it. */
    readonly href: string;
    readonly route: string;
    readonly anchor: string;
}

/** What one page says about anchors. */
export interface PageAnchors {
    /** The page's own ids, by their hashes: as texts, those of a large site take too much memory. */
    readonly ids: readonly number[];
    readonly links: readonly AnchorLink[];
}

/** @param html the page's body */
export function readAnchors(
    { route, file }: { readonly route: string; readonly file: string },
    html: string,
    links: readonly SeenLink[],
): PageAnchors {
    const ids = new Set<number>();
    for (const { 1: id = "", index } of html.matchAll(/ (?:id|name)="([^"]+)"/g)) {
        ids.add(hashOf(route, id));
        if (/^<h[1-6][^<>]*$/.test(html.slice(html.lastIndexOf("<", index), index))) {
            ids.add(hashOf(route, lettersOf(id)));
        }
    }
    const found = links.flatMap((link): AnchorLink[] => {
        const target = targetOf(link.resolved, route);
        return target === undefined ? [] : [{ file: link.file ?? file, line: link.line, href: link.href, ...target }];
    });
    return { ids: [...ids], links: found.filter((link) => link.route !== route || !isIn(ids, link)) };
}

/** Remembers the ids of all pages, to find links to parts that are on none of them. */
export class AnchorCheck {
    readonly #ids = new Set<number>();
    readonly #links: AnchorLink[] = [];

    add({ ids, links }: PageAnchors): void {
        ids.forEach((id) => this.#ids.add(id));
        this.#links.push(...links);
    }

    /** Call it when all pages were added. @param files files of pages by route, of those that are exported */
    warnings(files: ReadonlyMap<string, string>): SiteWarning[] {
        return this.#links.flatMap((link): SiteWarning[] => {
            const { file, line, href, route, anchor } = link;
            const target = files.get(route);
            if (target === undefined || isIn(this.#ids, link)) {
                return [];
            }
            const reason = `the link ${href} leads to ${target}, which has no heading or other part #${anchor}`;
            return [{ kind: "link", file, line, reason }];
        });
    }
}

/** @param resolved a link as it stands on the page of the route */
function targetOf(resolved: string, fromRoute: string): Pick<AnchorLink, "route" | "anchor"> | undefined {
    const [path = "", fragment = ""] = resolved.split("#", 2);
    const anchor = decodeUri(fragment.replace(/:~:.*$/, ""));
    // Browsers know #top themselves.
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

/** Whether a link leads to one of the ids, as browsers or the script of pages find it: others follow other rules for capitals. */
function isIn(ids: ReadonlySet<number>, { route, anchor }: AnchorLink): boolean {
    const isId = (id: string) => id !== "" && ids.has(hashOf(route, id));
    return isId(escapeHtml(anchor)) || isId(escapeHtml(anchor.toLowerCase())) || isId(lettersOf(anchor));
}

/** 31 bits, which need no memory of their own in a set. @param id as it stands in HTML */
function hashOf(route: string, id: string): number {
    let hash = 0x811c9dc5;
    for (const text of [route, "#", id]) {
        for (let at = 0; at < text.length; at += 1) {
            hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
        }
    }
    return (hash ^ (hash >>> 15)) & 0x7fffffff;
}
