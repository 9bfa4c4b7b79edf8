import { escapeHtml } from "../../text/html-text.js";
import { isValueRecord, textOfValue, type Value } from "../../text/script-value.js";
import {
    classes,
    flag,
    iconBefore,
    plainAttribute,
    shownAttribute,
    textAttribute,
    textsAttribute,
    title,
} from "./attributes.js";
import { type Component, type ComponentUse } from "./component.js";
import { word } from "../../words/words.js";

const update: Component = (use) => {
    const { context, attributes } = use;
    const label = plainAttribute(use, "label") ?? "";
    const ownId = context.ids.claim(textAttribute(use, "id") ?? label);
    const id = escapeHtml(ownId);
    context.list(ownId, label.trim());
    const tags = textsAttribute(use, "tags").map((tag) => {
        use.context.search.add(` ${tag} `);
        return `<span class="badge">${escapeHtml(tag)}</span>`;
    });
    const description = shownAttribute(use, "description", (text) => context.inlineMarkdown(text));
    const below = description === undefined ? "" : `<p class="update-text">${description}</p>`;
    const feed = isValueRecord(attributes["rss"]) ? attributes["rss"] : {};
    const inFeed = ["title", "description"].map((name) => feedText(name, feed[name])).join("");
    const head = `<p class="update-label"><a href="#${id}">${title(use, "label")}</a></p>${below}${tags.join(" ")}`;
    return `<section class="update" id="${id}"${inFeed}><div class="update-head">${head}</div><div>${use.children()}</div></section>`;
};

/** The text of an update in the page's feed, if this text differs from the text on the page. */
function feedText(name: string, value: Value): string {
    const text = textOfValue(value);
    return text === undefined ? "" : ` data-feed-${name}="${escapeHtml(text)}"`;
}

const panel: Component = ({ context, children }) =>
    context.sides.beside(
        `<div class="panel" role="group" aria-label="${word("details")}">${context.sides.whole(children)}</div>`,
    );

/** A prompt for an assistant, with a copy button. */
const prompt: Component = (use) => {
    const { context } = use;
    const description = shownAttribute(use, "description", (text) => context.inlineMarkdown(text)) ?? "Prompt";
    const head = `<p class="prompt-title">${iconBefore(use)}${description}</p>`;
    const text = use.text().trim();
    const actions = use.attributes["actions"] === undefined ? ["copy"] : textsAttribute(use, "actions");
    const address = `cursor://anysphere.cursor-deeplink/prompt?text=${encodeURIComponent(text.replace(/\p{Surrogate}/gu, ""))}`;
    const open =
        actions.includes("cursor") && address.length <= maxDeepLinkLength
            ? `<p class="prompt-action"><a href="${escapeHtml(address)}">Open in Cursor</a></p>`
            : "";
    const copy = actions.includes("copy") ? "" : " nocopy";
    return `<div class="prompt">${head}${context.codeBlock(text, undefined, `wrap expandable${copy}`)}${open}</div>`;
};

/** The maximum length of addresses that Cursor accepts. */
const maxDeepLinkLength = 8000;

/** Pages are for people: content for agents is only in the page's Markdown copy. */
const visibility: Component = (use) => (use.context.isFor(textAttribute(use, "for")) ? use.children() : "");

const repository: Component = (use) => {
    const given = textAttribute(use, "repo") ?? "";
    const repo = given.replace(/^https:\/\/(?:www\.)?github\.com\//i, "").replace(/(?:\.git)?\/?$/, "");
    if (!/^[\w.-]+\/[\w.-]+$/.test(repo)) {
        use.context.warn("attribute", "repo in <GitHub.Repo> must be owner/name or an address on github.com");
        return "";
    }
    use.context.search.add(` ${repo} `);
    return `<p${classes("repository", use)}>${use.context.icon("github", "brands")} <a href="https://github.com/${repo}">${repo}</a></p>`;
};

const codeBlock: Component = (use) => {
    const meta = [
        quoted("title", plainAttribute(use, "filename") ?? plainAttribute(use, "title")),
        quoted("icon", textAttribute(use, "icon")),
        ...["lines", "wrap", "expandable", "nocopy"].filter((name) => flag(use, name)),
        lineSet(use, "highlight"),
        lineSet(use, "focus"),
    ];
    return use.context.codeBlock(
        (textAttribute(use, "code") ?? use.text()).replace(/^\n|\n$/g, ""),
        textAttribute(use, "language"),
        meta.filter((part) => part !== undefined).join(" "),
    );
};

function quoted(name: string, value: string | undefined): string | undefined {
    return value === undefined ? undefined : `${name}="${value.replaceAll('"', "")}"`;
}

function lineSet(use: ComponentUse, name: string): string | undefined {
    const lines = textsAttribute(use, name);
    return lines.length === 0 ? undefined : `${name}={${lines.join(",").replace(/[^\d,-]/g, "")}}`;
}

const link: Component = (use) => {
    const { to, ...attributes } = use.attributes;
    return use.element("a", { ...attributes, href: attributes["href"] ?? to });
};

const heading: Component = (use) => {
    const { level, ...attributes } = use.attributes;
    const depth = textOfValue(level) ?? "2";
    return use.element(/^[1-6]$/.test(depth) ? `h${depth}` : "h2", attributes);
};

const image: Component = (use) => use.element("img", { alt: "", ...use.attributes });

export const pagePartComponents: readonly [string, Component][] = [
    ["Update", update],
    ["Panel", panel],
    ["Prompt", prompt],
    ["Visibility", visibility],
    ["GitHub.Repo", repository],
    ["CodeBlock", codeBlock],
    ["Link", link],
    ["Heading", heading],
    ["Image", image],
];
