import { type RenderedBody } from "../../html/rendered-body.js";
import { getOrMake } from "../../text/get-or-make.js";

/** The ids by which a site's CSS selects parts of the platform's pages, with the matching parts of our pages. */
export const frameIds = {
    banner: "the note above each page",
    navbar: "the bar at the top, with the logo, the search and the links",
    "topbar-cta-button": "the item of the bar with the first button",
    "search-bar-entry": "the button that opens the search",
    "localization-select-trigger": "the language, whose menu lists the others",
    "localization-select-content": "the list of languages",
    "body-content": "everything below the bar",
    sidebar: "the list of pages, with the menus above it",
    "sidebar-content": "the list of pages alone",
    "content-area": "the page and the links below it",
    content: "the page's title and text",
    "page-context-menu": "the menu of a page: copy, ask, and others",
    "page-context-menu-button": "the button that opens the list of the page's menu",
    header: "the group, title and description of the page, if its front matter has the title",
    "page-title": "the title of the page, if its front matter has it",
    panel: "the first `Panel` of the page",
    "request-example": "the first example of a request",
    "response-example": "the first example of a response",
    "table-of-contents-layout": "the column of the list of headings",
    "table-of-contents": "the list of headings with its title",
    "table-of-contents-content": "the list of headings alone",
    "feedback-thumbs-up": "the answer Yes to whether the page was helpful",
    "feedback-thumbs-down": "the answer No",
    pagination: "the links to the page before and the one after",
    footer: "the end of each page",
} as const;

/** The ids of parts that the theme's scripts add. */
export const scriptIds = {
    "search-input": "the field of the search",
    "chat-assistant-sheet": "the panel of the assistant",
    "chat-assistant-textarea": "the field of the assistant",
    "multi-view-dropdown": "the menu of a page's `View`s",
    "changelog-filters": "the buttons above updates that have tags",
} as const;

/** The platform's ids for parts that our pages do not contain. */
export const idsWithoutPart: readonly string[] = [
    "background-color",
    "mobile-nav",
    "mobile-nav-content",
    "search-bar-entry-mobile",
    "assistant-entry",
    "assistant-entry-mobile",
    "api-playground-input",
    "endpoints-menu-trigger",
    "ask-assistant-code-block-button",
    "code-snippet-feedback-button",
    "code-snippet-feedback-textarea",
    "feedback-form",
    "feedback-form-input",
    "feedback-form-cancel",
    "feedback-form-submit",
    "localization-select-item",
    "changelog-filters-content",
    "text-selection-tooltip",
    "text-selection-tooltip-button",
];

/** An id attribute; empty if an element in the page's text, such as a heading, already has the id. */
export function frameId(name: keyof typeof frameIds, body: RenderedBody): string {
    return isTaken(name, body) ? "" : ` id="${name}"`;
}

/** The id of a part that must always have an id. */
export function neededFrameId(name: keyof typeof frameIds, body: RenderedBody): string {
    return isTaken(name, body) ? `static-export-${name}` : name;
}

/** The HTML of a shared frame, without the ids that a part of this page's text already uses. */
export function withoutTakenIds(html: string, body: RenderedBody): string {
    return idsTakenBy(body).size === 0
        ? html
        : html.replace(anyFrameId, (whole, name: string) => (isTaken(name, body) ? "" : whole));
}

/** Adds an id to the first element that begins with `start`. */
export function withIdOfFirst(html: string, start: string, name: keyof typeof frameIds, body: RenderedBody): string {
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

const anyFrameId = new RegExp(` id="(${Object.keys(frameIds).join("|")})"`, "g");

function idsIn({ html, beside }: RenderedBody): ReadonlySet<string> {
    const found = [html, beside?.html ?? ""].flatMap((part) => Array.from(part.matchAll(anyFrameId)));
    return new Set(found.map(([, id = ""]) => id));
}
