import { escapeHtml } from "../text/html-text.js";
import { type ComponentUse } from "./component.js";
import { textAttribute } from "./attributes.js";

/** Attributes that hold text for readers wherever a component has them. */
const headings = ["title", "name", "label", "heading", "text"] as const;
const details = ["type", "method", "path", "subtitle", "description", "caption", "content"] as const;

/** Where and how a page uses the component. */
export interface JsxUse {
    readonly isBlock?: boolean;
    /** Whether the component's import has been reported to lead nowhere. */
    readonly isReported?: boolean;
}

/** The texts and the content of a component that the export does not know, and the anchor that links lead to. */
export function unknownComponent(use: ComponentUse, { isBlock, isReported }: JsxUse): string {
    const { name: component, host } = use;
    if (isReported !== true) {
        host.warn("component", `there is no component <${component}>; its content is shown instead`);
    }
    const shown = (name: string) => {
        const text = textAttribute(use, name);
        if (text === undefined || text.trim() === "") {
            return [];
        }
        host.search.add(` ${text} `);
        return [escapeHtml(text)];
    };
    const heading = headings.flatMap(shown).map((text) => `<strong>${text}</strong>`);
    const href = heading.length === 0 ? undefined : textAttribute(use, "href");
    const linked = href === undefined ? heading : [`<a href="${escapeHtml(host.link(href))}">${heading.join(" ")}</a>`];
    const texts = [...linked, ...(heading.length === 0 ? [] : details.flatMap(shown))].join(" ");
    const id = textAttribute(use, "id") ?? "";
    const anchor = id === "" ? "" : `<a id="${escapeHtml(host.claimId(id))}"></a>`;
    const content = use.children();
    return `${anchor}${texts === "" ? "" : isBlock === true ? `<p>${texts}</p>` : ` ${texts} `}${content}`;
}
