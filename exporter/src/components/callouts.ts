import { calloutKindOf, type CalloutKind, untitled } from "./callout-kind.js";
import { type HastNode } from "satteri";
import { escapeHtml } from "../text/html-text.js";
import { isElement, type HastElement } from "../text/syntax-tree.js";
import { cssColor, plainAttribute, shownAttribute, textAttribute } from "./attributes.js";
import { type Component, type Components, type ComponentText, type ComponentUse } from "./component.js";
import { bold, joined, quoted } from "./markdown-text.js";
import { word } from "../words/words.js";

const alertMark = new RegExp(`^\\[!([a-z]+)\\](?:${untitled} |[+-]?[ \\t]*([^\\n]*)\\n?)`, "i");

/** The callout for a quote that begins with `[!NOTE] Title`. */
interface QuotedCallout {
    readonly kind: CalloutKind;
    readonly title: string | undefined;
    /** The quote's content, without its marker and title. */
    readonly children: readonly HastNode[];
}

/**
 * Reads the callout in a quote; undefined for other quotes. Does not change the quote, because a page may show the same
 * snippet several times.
 */
export function calloutOf(blockquote: HastElement): QuotedCallout | undefined {
    const paragraph = blockquote.children.find(isElement);
    const text = paragraph?.tagName === "p" ? paragraph.children[0] : undefined;
    if (paragraph === undefined || text?.type !== "text") {
        return undefined;
    }
    const [mark = "", name = "", title = ""] = alertMark.exec(text.value) ?? [];
    const kind = calloutKindOf(name);
    if (kind === undefined) {
        return undefined;
    }
    const rest = { ...text, value: text.value.slice(mark.length) };
    const unmarked = { ...paragraph, children: [rest, ...paragraph.children.slice(1)] };
    const children = blockquote.children.map((child) => (child === paragraph ? unmarked : child));
    return { kind, title: title.trim() || ownTitleOf(name), children };
}

/** The title of GitHub's alerts that share a callout with others. */
function ownTitleOf(name: string): string | undefined {
    const own = name.toLowerCase();
    return own === "important" || own === "caution" ? word(own) : undefined;
}

/** @param titleHtml the title with markup, if it has any */
export function writeCallout(
    kind: CalloutKind,
    content: string,
    title?: string,
    { icon = "", titleHtml }: { readonly icon?: string; readonly titleHtml?: string | undefined } = {},
): string {
    const label = title === undefined ? word(kind) : escapeHtml(title);
    const head = `<p class="callout-title">${icon}${titleHtml ?? label}</p>`;
    return `<div class="callout ${kind}" role="note" aria-label="${label}">${head}${content}</div>`;
}

function iconOf({ context, attributes }: ComponentUse): string {
    return context.icon(attributes["icon"], attributes["iconType"]);
}

/** The names of GitHub's alerts for callouts. */
export const alerts: Readonly<Record<CalloutKind, string>> = {
    note: "NOTE",
    tip: "TIP",
    info: "NOTE",
    check: "TIP",
    warning: "WARNING",
    danger: "CAUTION",
};

const alert =
    (kind: CalloutKind): ComponentText =>
    ({ attribute, inner }) =>
        quoted(joined(`[!${alerts[kind]}]`, joined(bold(attribute("title")), inner, "\n\n"), "\n"));

function calloutHtml(kind: CalloutKind, use: ComponentUse): string {
    const titleHtml = shownAttribute(use, "title");
    return writeCallout(kind, use.children(), plainAttribute(use, "title"), { icon: iconOf(use), titleHtml });
}

const callout = (kind: CalloutKind): Component => ({ html: (use) => calloutHtml(kind, use), text: alert(kind) });

/** A callout with its own icon and colour, and with the author's title, if any. */
function plainCallout(use: ComponentUse): string {
    const { attributes } = use;
    const kind = calloutKindOf(textAttribute(use, "type") ?? "");
    if (kind !== undefined) {
        return calloutHtml(kind, use);
    }
    const color = cssColor(attributes["color"]);
    const style = color === undefined ? "" : ` style="--tone:${color}"`;
    const icon = iconOf(use);
    const title = shownAttribute(use, "title");
    if (title === undefined && icon !== "") {
        return `<div class="callout info with-icon" role="note"${style}>${icon}<div>${use.children()}</div></div>`;
    }
    const head = title === undefined ? "" : `<p class="callout-title">${icon}${title}</p>`;
    return `<div class="callout info" role="note"${style}>${head}${use.children()}</div>`;
}

export const calloutComponents: Components = {
    Note: callout("note"),
    Tip: callout("tip"),
    Hint: { sameAs: "Tip" },
    Info: callout("info"),
    Important: { sameAs: "Info" },
    Check: callout("check"),
    Success: { sameAs: "Check" },
    Warning: callout("warning"),
    Attention: { sameAs: "Warning" },
    Caution: { sameAs: "Warning" },
    Danger: callout("danger"),
    Error: { ...callout("danger"), mayBe: "text" },
    Callout: {
        html: plainCallout,
        text: (use) => alert(calloutKindOf(use.attribute("type") ?? "") ?? "note")(use),
    },
    Alert: { sameAs: "Callout" },
};
