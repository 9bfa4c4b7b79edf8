import { escapeHtml } from "../html-text.js";
import { textOfValue, type Value } from "../values/value.js";
import { flag, iconBefore, textAttribute, title } from "./attributes.js";
import { type Component, type ComponentUse } from "./component.js";

const update: Component = (use) => {
    const { host, attributes } = use;
    const label = textAttribute(use, "label") ?? "";
    const id = escapeHtml(host.claimId(textAttribute(use, "id") ?? label));
    const list = Array.isArray(attributes["tags"]) ? (attributes["tags"] as readonly Value[]) : [];
    const tags = list
        .filter((tag) => typeof tag === "string")
        .map((tag) => `<span class="badge">${escapeHtml(tag)}</span>`);
    const description = textAttribute(use, "description");
    const below = description === undefined ? "" : `<p class="update-text">${host.inlineMarkdown(description)}</p>`;
    const head = `<p class="update-label"><a href="#${id}">${title(use, "label")}</a></p>${below}${tags.join("")}`;
    return `<section class="update" id="${id}"><div class="update-head">${head}</div><div>${use.children()}</div></section>`;
};

const panel: Component = (use) => `<aside class="panel" aria-label="Details">${use.children()}</aside>`;

/** A prompt for an assistant, ready to be copied. */
const prompt: Component = (use) => {
    const { host } = use;
    const description = textAttribute(use, "description") ?? "Prompt";
    const head = `<p class="prompt-title">${iconBefore(use)}${host.inlineMarkdown(description)}</p>`;
    return `<div class="prompt">${head}${host.codeBlock(use.text().trim(), undefined, "wrap expandable")}</div>`;
};

/** Pages are for people; what is meant for agents only stands in the page's Markdown copy. */
const visibility: Component = (use) => (textAttribute(use, "for") === "agents" ? "" : use.children());

const repository: Component = (use) => {
    const repo = textAttribute(use, "repo") ?? "";
    if (!/^[\w.-]+\/[\w.-]+$/.test(repo)) {
        use.host.warn("attribute", "repo in <GitHub.Repo> must be owner/name");
        return "";
    }
    use.host.search.add(` ${repo} `);
    return `<p class="repository">${use.host.icon("github", "brands")} <a href="https://github.com/${repo}">${repo}</a></p>`;
};

const codeBlock: Component = (use) => {
    const meta = [
        textAttribute(use, "filename") ?? textAttribute(use, "title"),
        ...["lines", "wrap", "expandable"].filter((name) => flag(use, name)),
        lineSet(use, "highlight"),
        lineSet(use, "focus"),
    ];
    return use.host.codeBlock(
        use.text().replace(/^\n|\n$/g, ""),
        textAttribute(use, "language"),
        meta.filter((part) => part !== undefined).join(" "),
    );
};

function lineSet(use: ComponentUse, name: string): string | undefined {
    const value = use.attributes[name];
    const lines = Array.isArray(value)
        ? (value as readonly Value[]).map((item) => textOfValue(item) ?? "").join(",")
        : textAttribute(use, name);
    return lines === undefined ? undefined : `${name}={${lines.replace(/[^\d,-]/g, "")}}`;
}

const link: Component = (use) => {
    const href = use.host.link(textAttribute(use, "href") ?? textAttribute(use, "to") ?? "");
    return `<a href="${escapeHtml(href)}">${use.children()}</a>`;
};

const heading: Component = (use) => {
    const level = textAttribute(use, "level") ?? "2";
    const tag = /^[1-6]$/.test(level) ? `h${level}` : "h2";
    const id = escapeHtml(use.host.claimId(textAttribute(use, "id") ?? use.text()));
    return `<${tag} id="${id}">${use.children()}</${tag}>`;
};

const image: Component = (use) => use.host.image(textAttribute(use, "src") ?? "", textAttribute(use, "alt") ?? "");

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
