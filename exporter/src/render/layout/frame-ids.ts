import { type RenderedBody } from "../../html/rendered-body.js";
import { getOrMake } from "../../text/get-or-make.js";

/** Ids with which a site's CSS selects parts of the platform's pages, and the matching parts of our pages. */
export const frameIds = {
    banner: "the note above each page",
    navbar: "the bar at the top, with the logo, the search and the links",
    "search-bar-entry": "the button that opens the search",
    "body-content": "everything below the bar",
    sidebar: "the list of pages",
    "content-area": "the page with what follows its text",
    content: "the page's title and text",
    "table-of-contents": "the list of headings",
    pagination: "the links to the page before and the one after",
    footer: "the end of each page",
} as const;

/** An id attribute; empty if an element in the page's text, such as a heading, already has the id. */
export function frameId(name: keyof typeof frameIds, body: RenderedBody): string {
    return isTaken(name, body) ? "" : ` id="${name}"`;
}

/** The id of a part that always needs one. */
export function neededFrameId(name: keyof typeof frameIds, body: RenderedBody): string {
    return isTaken(name, body) ? `static-export-${name}` : name;
}

function isTaken(name: string, body: RenderedBody): boolean {
    return getOrMake(takenIds, body, () => idsIn(body)).has(name);
}

/** Searches a body once for all parts of its page. */
const takenIds = new WeakMap<RenderedBody, ReadonlySet<string>>();

const anyFrameId = new RegExp(` id="(${Object.keys(frameIds).join("|")})"`, "g");

function idsIn({ html, beside }: RenderedBody): ReadonlySet<string> {
    const found = [html, beside?.html ?? ""].flatMap((part) => Array.from(part.matchAll(anyFrameId)));
    return new Set(found.map(([, id = ""]) => id));
}
