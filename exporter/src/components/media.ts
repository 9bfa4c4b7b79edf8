import { writeFormula } from "../html/formula.js";
import { escapeHtml } from "../text/html-text.js";
import { isValueRecord, textOfValue, type Value } from "../text/script-value.js";
import { classes, cssColor, flag, iconBefore, oneOf, shownAttribute, styles, textAttribute } from "./attributes.js";
import { type Components, type ComponentText, type ComponentUse } from "./component.js";
import { contentText, linked, listItem, noText, titled } from "./markdown-text.js";

function frame(use: ComponentUse): string {
    const { context } = use;
    const inline = (name: string) => shownAttribute(use, name, (text) => context.inlineMarkdown(text));
    const hint = inline("hint");
    const above = hint === undefined ? "" : `<p class="frame-hint">${hint}</p>`;
    const caption = inline("caption");
    const below = caption === undefined ? "" : `<figcaption>${caption}</figcaption>`;
    const content = use.children().replace(/<video([^<>]*)>/g, playsByItself);
    return `<figure${classes("frame", use)}>${above}${content}${below}</figure>`;
}

/** Browsers only autoplay videos without sound. */
function playsByItself(tag: string, attributes: string): string {
    const has = (name: string) => new RegExp(` ${name}(?=[ =]|$)`, "i").test(attributes);
    const missing = ["muted", "loop", "playsinline"].filter((name) => !has(name));
    return has("autoplay") && missing.length > 0 ? `<video${attributes} ${missing.join(" ")}>` : tag;
}

function icon(use: ComponentUse): string {
    const { context, attributes } = use;
    const html = context.icon(attributes["icon"] ?? attributes["src"] ?? attributes["name"], attributes["iconType"]);
    if (html === "") {
        return "";
    }
    const color = cssColor(attributes["color"]);
    const size = Math.min(128, Number(textAttribute(use, "size") ?? 0));
    const own = [color && `color:${color}`, size > 0 ? `font-size:${size}px` : undefined];
    return `<span${classes("icon-box", use)}${styles(own, use)}>${html}</span>`;
}

/** The hint is part of the page, so that keyboards and screen readers reach it. */
function tooltip(use: ComponentUse): string {
    const { context } = use;
    const headline = shownAttribute(use, "headline");
    const tip = shownAttribute(use, "tip") ?? shownAttribute(use, "content") ?? "";
    const call = shownAttribute(use, "cta");
    const href = textAttribute(use, "href");
    const id = context.ids.claim("tip");
    const link =
        call === undefined || href === undefined ? "" : ` <a href="${escapeHtml(context.link(href))}">${call}</a>`;
    const head = headline === undefined ? "" : `<strong>${headline}</strong> `;
    return (
        `<span class="tooltip"><button type="button" aria-describedby="${id}">${use.children()}</button>` +
        `<span class="tooltip-text" role="tooltip" id="${id}">${head}${tip}${link}</span></span>`
    );
}

const badgeColors =
    "gray blue green yellow orange red purple white surface white-destructive surface-destructive".split(" ");

const tooltipText: ComponentText = ({ attribute, inner }) => {
    const tip = attribute("tip", "content");
    const link = attribute("cta") === undefined ? "" : linked(attribute("cta") ?? "", attribute("href"));
    const note = [attribute("headline"), tip, link].filter((part) => part !== undefined && part !== "").join(" ");
    return note === "" ? inner : `${inner} (${note})`;
};

function badge(use: ComponentUse): string {
    const names = [
        "badge",
        oneOf(use, "color", badgeColors),
        flag(use, "stroke") && "stroke",
        flag(use, "disabled") && "disabled",
        oneOf(use, "size", ["xs", "sm", "md", "lg"]),
        oneOf(use, "shape", ["rounded", "pill"]),
    ];
    return `<span${classes(names.filter(Boolean).join(" "), use)}>${iconBefore(use)}${use.children()}</span>`;
}

function latex(use: ComponentUse): string {
    const text = use.text();
    use.context.search.add(text);
    return writeFormula(text, false, use.context);
}

function colorRow(use: ComponentUse): string {
    const title = shownAttribute(use, "title");
    const head = title === undefined ? "" : `<p class="color-row-title">${title}</p>`;
    return `<div class="color-row">${head}<div class="color-items">${use.children()}</div></div>`;
}

function pairOf(value: Value): Record<"light" | "dark", string | undefined> | undefined {
    return isValueRecord(value) ? { light: textOfValue(value["light"]), dark: textOfValue(value["dark"]) } : undefined;
}

/** A color as text: one value, or one for each theme. */
function colorText(value: Value): string {
    const pair = pairOf(value);
    return pair === undefined ? (textOfValue(value) ?? "") : `${pair.light ?? ""} / ${pair.dark ?? ""}`;
}

function colorItem(use: ComponentUse): string {
    const { attributes } = use;
    const value = attributes["value"];
    const pair = pairOf(value);
    const shown = colorText(value);
    const light = cssColor(pair?.light ?? textAttribute(use, "value"));
    const dark = cssColor(pair?.dark ?? pair?.light ?? textAttribute(use, "value"));
    const style = light === undefined ? "" : ` style="--light:${light};--dark:${dark ?? light}"`;
    const name = shownAttribute(use, "name");
    const label = name === undefined ? "" : `<span>${name}</span>`;
    return `<div class="color-item"><span class="swatch"${style}></span>${label}<code>${escapeHtml(shown)}</code></div>`;
}

export const mediaComponents: Components = {
    Frame: {
        html: frame,
        text: ({ attribute, inner }) =>
            [attribute("hint"), inner, attribute("caption")].filter((part) => part !== undefined).join("\n\n"),
    },
    Icon: { html: icon, text: noText, isInLine: true, isEmpty: true, mayBe: "html" },
    Tooltip: { html: tooltip, text: tooltipText, isInLine: true },
    Badge: { html: badge, text: ({ attribute, inner }) => inner || (attribute("text") ?? ""), isInLine: true },
    Latex: { html: latex, text: ({ inner }) => `$${inner}$`, isInLine: true },
    Color: {
        html: (use) => `<div class="colors">${use.children()}</div>`,
        text: contentText,
        mayBe: "html",
    },
    "Color.Row": { html: colorRow, text: titled("title") },
    "Color.Item": {
        html: colorItem,
        text: ({ attribute, value }) =>
            listItem("- ", `${attribute("name") ?? ""}: \`${colorText(value("value"))}\``, ""),
        isListed: true,
        isInLine: true,
    },
};
