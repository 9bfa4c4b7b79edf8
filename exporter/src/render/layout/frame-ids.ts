import { type RenderedBody } from "../../html/rendered-body.js";
import { getOrMake } from "../../text/get-or-make.js";

/** The ids by which a site's CSS selects parts of the platform's pages, and of ours. */
export const frameIds = [
    "banner",
    "navbar",
    "topbar-cta-button",
    "search-bar-entry",
    "localization-select-trigger",
    "localization-select-content",
    "body-content",
    "sidebar",
    "sidebar-content",
    "content-area",
    "content",
    "page-context-menu",
    "page-context-menu-button",
    "header",
    "page-title",
    "panel",
    "request-example",
    "response-example",
    "table-of-contents-layout",
    "table-of-contents",
    "table-of-contents-content",
    "feedback-thumbs-up",
    "feedback-thumbs-down",
    "pagination",
    "footer",
] as const;

export type FrameId = (typeof frameIds)[number];

/** An id attribute; empty if an element in the page's text, such as a heading, already has the id. */
export function frameId(name: FrameId, body: RenderedBody): string {
    return isTaken(name, body) ? "" : ` id="${name}"`;
}

/** The id of a part that must always have an id. */
export function neededFrameId(name: FrameId, body: RenderedBody): string {
    return isTaken(name, body) ? `static-export-${name}` : name;
}

/** The HTML of a shared frame, without the ids that a part of this page's text already uses. */
export function withoutTakenIds(html: string, body: RenderedBody): string {
    return idsTakenBy(body).size === 0
        ? html
        : html.replace(anyFrameId, (whole, name: string) => (isTaken(name, body) ? "" : whole));
}

/** Adds an id to the first element that begins with `start`. */
export function withIdOfFirst(html: string, start: string, name: FrameId, body: RenderedBody): string {
    return html.replace(start, () => start + frameId(name, body));
}

function isTaken(name: string, body: RenderedBody): boolean {
    return idsTakenBy(body).has(name);
}

function idsTakenBy(body: RenderedBody): ReadonlySet<string> {
    return getOrMake(takenIds, body, () => idsIn(body));
}

/** The ids that were found in page bodies, so that each body is searched only once. */
const takenIds = new WeakMap<RenderedBody, ReadonlySet<string>>();

const anyFrameId = new RegExp(` id="(${frameIds.join("|")})"`, "g");

function idsIn({ html, beside }: RenderedBody): ReadonlySet<string> {
    const found = [html, beside?.html ?? ""].flatMap((part) => Array.from(part.matchAll(anyFrameId)));
    return new Set(found.map(([, id = ""]) => id));
}
