import { escapeHtml } from "../text/html-text.js";
import { calloutKinds } from "./callout-kind.js";
import {
    classes,
    cssColor,
    flag,
    iconBefore,
    oneOf,
    plainAttribute,
    shownAttribute,
    textAttribute,
    title,
} from "./attributes.js";
import { type Components, type ComponentText, type ComponentUse } from "./component.js";
import { contentText, linked, listItem } from "./markdown-text.js";

/**
 * Only the title is a link, which the style sheet stretches over the card, so that links inside the card stay valid
 * HTML.
 */
function card(use: ComponentUse): string {
    const { attributes, context } = use;
    const href = textAttribute(use, "href");
    const color = cssColor(attributes["color"]);
    const iconHtml = iconBefore(use);
    const icon = iconHtml === "" || color === undefined ? iconHtml : `<span style="color:${color}">${iconHtml}</span>`;
    const heading = title(use);
    const head =
        href === undefined
            ? heading
            : `<a href="${escapeHtml(context.link(href))}"${newTab(href)}${heading === "" ? ` aria-label="${nameOf(use)}"` : ""}>${heading}</a>`;
    const image = textAttribute(use, "img");
    const picture =
        image === undefined ? "" : `<div class="card-image">${use.element("img", { src: image, alt: "" })}</div>`;
    const call = shownAttribute(use, "cta");
    const arrow = attributes["arrow"] === undefined ? call !== undefined : flag(use, "arrow");
    const action = [call, arrow ? "→" : undefined].filter(Boolean).join(" ");
    const below = action === "" ? "" : `<p class="card-action" aria-hidden="true">${action}</p>`;
    const kind = oneOf(use, "type", calloutKinds);
    const name = `card${flag(use, "horizontal") ? " horizontal" : ""}${kind === undefined ? "" : ` toned ${kind}`}`;
    const body = use.children() || (shownAttribute(use, "description") ?? "");
    const titleHtml = icon + head === "" ? "" : `<p class="card-title">${icon}${head}</p>`;
    return `<div${classes(name, use)}>${picture}${titleHtml}<div class="card-body">${body}</div>${below}</div>`;
}

const cardText: ComponentText = ({ attribute, inner }) => {
    const name = attribute("title") ?? attribute("href") ?? "";
    const body = inner === "" ? (attribute("description") ?? "") : inner;
    return listItem("- ", linked(name, attribute("href")), body);
};

/** The name of a card without a title, for screen readers. */
function nameOf(use: ComponentUse): string {
    const text = use.text().replace(/\s+/g, " ").trim();
    return escapeHtml(text || (plainAttribute(use, "description") ?? textAttribute(use, "href") ?? ""));
}

function newTab(href: string): string {
    return /^https?:\/\//i.test(href) ? ' rel="noopener"' : "";
}

function columns(use: ComponentUse): string {
    const count = Math.min(4, Math.max(1, Math.floor(Number(textAttribute(use, "cols") ?? 2)) || 2));
    return `<div${classes("cards", use)} style="--columns:${count}">${use.children()}</div>`;
}

/** A picture above a linked title. */
function tile(use: ComponentUse): string {
    const href = use.context.link(textAttribute(use, "href") ?? "");
    const description = shownAttribute(use, "description");
    const below = description === undefined ? "" : `<span class="tile-text">${description}</span>`;
    const heading = title(use, "title", textAttribute(use, "href") ?? "");
    return `<div class="tile"><div class="tile-picture">${use.children()}</div><p class="card-title"><a href="${escapeHtml(href)}">${heading}</a></p>${below}</div>`;
}

export const cardComponents: Components = {
    Card: { html: card, text: cardText, isListed: true },
    CardGroup: { html: columns, text: contentText },
    Cards: { sameAs: "CardGroup" },
    Columns: { html: columns, text: contentText },
    Column: { html: (use) => `<div${classes("column", use)}>${use.children()}</div>`, text: contentText },
    Tile: {
        html: tile,
        text: ({ attribute }) =>
            listItem("- ", linked(attribute("title") ?? "", attribute("href")), attribute("description") ?? ""),
        isListed: true,
    },
};
