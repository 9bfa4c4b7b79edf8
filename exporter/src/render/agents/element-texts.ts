import { type ComponentText, type TextRules } from "../../components/component.js";
import { components } from "../../components/components.js";
import { contentText, image, linked, noText } from "../../components/markdown-text.js";
import { treeItemText } from "../../components/trees.js";

/** A component of the site, whose code does not run here. */
const unknownText: ComponentText = ({ attribute, inner }) => {
    const text = inner || (attribute("title", "label", "text", "name") ?? "");
    const href = attribute("href");
    return href === undefined || text.includes("\n") ? text : linked(text || href, href);
};

const unknown: TextRules = { text: unknownText };

/** HTML elements as Markdown, and components that sites often define themselves. */
const elements: ReadonlyMap<string, TextRules> = new Map<string, TextRules>([
    ["img", { text: ({ attribute }) => image(attribute("alt"), attribute("src")), isInLine: true }],
    ["a", { text: ({ attribute, inner }) => linked(inner, attribute("href")), isInLine: true }],
    ["iframe", { text: ({ attribute }) => linked(attribute("title", "src") ?? "", attribute("src")) }],
    [
        "video",
        {
            text: ({ attribute, inner }) =>
                attribute("src") === undefined ? inner : linked("Video", attribute("src")),
        },
    ],
    ["source", { text: ({ attribute }) => linked("Video", attribute("src")) }],
    ["style", { text: noText }],
    ["script", { text: noText }],
    ["svg", { text: noText }],
    ["TreeItem", { text: treeItemText, isListed: true }],
]);

/** Elements that only affect the layout of their content. */
const wrappers = new Set("div span section center article main header footer figure picture p".split(" "));

/** @returns undefined for an element that may also occur in Markdown, such as `<kbd>` */
export function textRulesOf(name: string): TextRules | undefined {
    const known = components.get(name) ?? elements.get(name);
    return known ?? (wrappers.has(name) ? { text: contentText } : /^[a-z]/.test(name) ? undefined : unknown);
}

export function isShownInLine(name: string): boolean {
    return textRulesOf(name)?.isInLine === true || isOwnComponent(name);
}

/** Whether the page or one of its imports defines the component, unless it does not exist. */
export function isOwnComponent(name: string): boolean {
    return textRulesOf(name) === unknown;
}

/** Whether an element only affects the layout of its content. */
export function isWrapper(name: string): boolean {
    return wrappers.has(name);
}
