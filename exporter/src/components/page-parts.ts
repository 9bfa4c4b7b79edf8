import { escapeHtml } from "../text/html-text.js";
import { isValueRecord, textOfValue, type Value } from "../text/script-value.js";
import {
    classes,
    flag,
    iconBefore,
    plainAttribute,
    shownAttribute,
    textAttribute,
    textsAttribute,
    textsOf,
    title,
} from "./attributes.js";
import { type Components, type ComponentText, type ComponentUse } from "./component.js";
import { bold, contentText, fenced, image, joined, linked } from "./markdown-text.js";
import { word } from "../words/words.js";

function update(use: ComponentUse): string {
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
}

const updateText: ComponentText = ({ attribute, value, inner }) => {
    const head = `## ${attribute("label") ?? ""}`.trimEnd();
    const below = joined(attribute("description"), textsOf(value("tags")).join(", "), "\n\n");
    return joined(joined(head, below, "\n\n"), inner, "\n\n");
};

/** The text of an update in the page's feed, if this text differs from the text on the page. */
function feedText(name: string, value: Value): string {
    const text = textOfValue(value);
    return text === undefined ? "" : ` data-feed-${name}="${escapeHtml(text)}"`;
}

function panel({ context, children }: ComponentUse): string {
    return context.sides.beside(
        `<div class="panel" role="group" aria-label="${word("details")}">${context.sides.whole(children)}</div>`,
    );
}

/** A prompt for an assistant, with a copy button. */
function prompt(use: ComponentUse): string {
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
}

/** The maximum length of addresses that Cursor accepts. */
const maxDeepLinkLength = 8000;

const gitHub = /^https:\/\/(?:www\.)?github\.com\//i;

function repository(use: ComponentUse): string {
    const repo = (textAttribute(use, "repo") ?? "").replace(gitHub, "").replace(/(?:\.git)?\/?$/, "");
    if (!/^[\w.-]+\/[\w.-]+$/.test(repo)) {
        use.context.warn("attribute", "repo in <GitHub.Repo> must be owner/name or an address on github.com");
        return "";
    }
    use.context.search.add(` ${repo} `);
    return `<p${classes("repository", use)}>${use.context.icon("github", "brands")} <a href="https://github.com/${repo}">${repo}</a></p>`;
}

const repositoryText: ComponentText = ({ attribute }) => {
    const name = (attribute("repo") ?? "").replace(gitHub, "");
    return linked(name, `https://github.com/${name}`);
};

function codeBlock(use: ComponentUse): string {
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
}

const codeBlockText: ComponentText = ({ attribute, inner }) => {
    const info = [attribute("language"), attribute("filename", "title")].filter((part) => part !== undefined);
    return fenced(attribute("code") ?? inner, info.join(" "));
};

function quoted(name: string, value: string | undefined): string | undefined {
    return value === undefined ? undefined : `${name}="${value.replaceAll('"', "")}"`;
}

function lineSet(use: ComponentUse, name: string): string | undefined {
    const lines = textsAttribute(use, name);
    return lines.length === 0 ? undefined : `${name}={${lines.join(",").replace(/[^\d,-]/g, "")}}`;
}

function link(use: ComponentUse): string {
    const { to, ...attributes } = use.attributes;
    return use.element("a", { ...attributes, href: attributes["href"] ?? to });
}

function heading(use: ComponentUse): string {
    const { level, ...attributes } = use.attributes;
    const depth = textOfValue(level) ?? "2";
    return use.element(/^[1-6]$/.test(depth) ? `h${depth}` : "h2", attributes);
}

export const pagePartComponents: Components = {
    Update: { html: update, text: updateText },
    Panel: { html: panel, text: contentText },
    Prompt: {
        html: prompt,
        text: ({ attribute, inner }) => joined(bold(attribute("description")), fenced(inner, "text"), "\n\n"),
    },
    // Pages are for people: content for agents is only in the page's Markdown copy.
    Visibility: {
        html: (use) => (use.context.isFor(textAttribute(use, "for")) ? use.children() : ""),
        text: ({ attribute, inner }) => (attribute("for") === "humans" ? "" : inner),
        isInLine: true,
        mayHide: true,
    },
    "GitHub.Repo": { html: repository, text: repositoryText, isInLine: true },
    CodeBlock: { html: codeBlock, text: codeBlockText },
    Code: { sameAs: "CodeBlock", mayBe: "text" },
    Link: {
        html: link,
        text: ({ attribute, inner }) => linked(inner, attribute("href", "to")),
        isInLine: true,
        mayBe: "text",
    },
    Heading: {
        html: heading,
        text: ({ attribute, inner }) => `${"#".repeat(Number(attribute("level") ?? 2) || 2)} ${inner}`,
        mayBe: "text",
    },
    Image: {
        html: (use) => use.element("img", { alt: "", ...use.attributes }),
        text: ({ attribute }) => image(attribute("alt"), attribute("src")),
        isInLine: true,
        mayBe: "text",
    },
};
