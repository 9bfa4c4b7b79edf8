import { escapeHtml } from "../text/html-text.js";
import { textOfValue, type Value } from "../text/script-value.js";
import { isJsx } from "./attributes.js";
import { type ComponentContext, type ComponentUse } from "./component.js";

/** Attributes that contain text for readers in any component. */
const headings = ["title", "name", "label", "heading", "text"];
const details = ["type", "method", "path", "subtitle", "description", "caption", "content"];
const addresses = ["href", "src", "url", "to"];

/** Attributes that only affect a component's look. */
const looks = new Set(
    "align aria-label class classname color icon icontype id key lang ref rel role size slot style target width height".split(
        " ",
    ),
);

const maxTexts = 20;

/** The place and form in which a page uses the component. */
export interface JsxUse {
    readonly isBlock?: boolean;
    /** Whether the component's failed import was already reported. */
    readonly isReported?: boolean;
    readonly hasContent?: boolean;
    /** The component that the author may have meant. */
    readonly similar?: string | undefined;
}

/** The HTML of an unknown component, and the warning for its author. */
interface UnknownComponent {
    readonly html: string;
    readonly reason: string;
}

/** Writes an unknown component: an anchor for links, the text of its attributes, and its content. */
export function unknownComponent(
    use: ComponentUse,
    { isBlock, isReported, hasContent = false, similar }: JsxUse,
): string {
    const { name, context, attributes } = use;
    const { html, reason } = unknownTexts(`component <${name}>${suggest(similar)}`, attributes, hasContent, context);
    if (isReported !== true) {
        context.warn("component", reason);
    }
    const id = textOfValue(attributes["id"]) ?? "";
    const anchor = id === "" ? "" : `<a id="${escapeHtml(context.ids.claim(id))}"></a>`;
    const content = use.children();
    return `${anchor}${html === "" ? "" : isBlock === true ? `<p>${html}</p>` : ` ${html} `}${content}`;
}

/** The question whether the author meant another component. */
export function suggest(similar: string | undefined): string {
    return similar === undefined ? "" : ` (did you mean <${similar}>?)`;
}

/** Finds the text in the attributes of an unknown component: in all attributes if the component has no content. */
export function unknownTexts(
    what: string,
    attributes: Readonly<Record<string, Value>>,
    hasContent: boolean,
    context: Pick<ComponentContext, "search" | "link" | "renderValue">,
): UnknownComponent {
    const shown = (name: string) => {
        const value = attributes[name];
        if (isJsx(value)) {
            const html = context.renderValue(value);
            return html === "" ? [] : [html];
        }
        const text = textOfValue(value);
        if (text === undefined || text.trim() === "") {
            return [];
        }
        context.search.add(` ${text} `);
        return [escapeHtml(text)];
    };
    const heading = headings.flatMap(shown).map((text) => `<strong>${text}</strong>`);
    const address = (hasContent ? ["href"] : addresses)
        .map((name) => textOfValue(attributes[name]))
        .find((text) => text !== undefined);
    const isLinked = address !== undefined && (heading.length > 0 || !hasContent);
    const linked = isLinked
        ? [`<a href="${escapeHtml(context.link(address))}">${heading.join(" ") || escapeHtml(address)}</a>`]
        : heading;
    const own = hasContent && heading.length === 0 ? [] : details.flatMap(shown);
    const others = hasContent
        ? []
        : otherNames(attributes).flatMap((name) => shown(name).map((text) => `${escapeHtml(name)}: ${text}`));
    const texts = [...linked, ...own, ...others];
    const instead = hasContent
        ? "its content is shown instead"
        : texts.length > 0
          ? "its attributes are shown instead"
          : "nothing of it is shown";
    return { html: texts.join(" "), reason: `there is no ${what}; ${instead}` };
}

/** Excludes Vue's attributes, whose values are code. */
function otherNames(attributes: Readonly<Record<string, Value>>): string[] {
    const known = new Set([...headings, ...details, ...addresses]);
    return Object.keys(attributes)
        .filter(
            (name) => !known.has(name) && !looks.has(name.toLowerCase()) && !/^(?:[:@#]|v-|data-|on[A-Z])/.test(name),
        )
        .slice(0, maxTexts);
}
