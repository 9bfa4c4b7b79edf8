import { codeOf } from "../code/code-block.js";
import { calloutOf, writeCallout } from "../../components/callouts.js";
import { suggest, unknownTexts } from "../../components/unknown.js";
import { components } from "../../components/components.js";
import { nearestName } from "../../text/nearest-name.js";
import { type PageContext } from "./page-context.js";
import { hasNodes } from "../script/content.js";
import { isKnownElement } from "../../html/known-elements.js";
import { writeFormula } from "../../html/formula.js";
import { type Properties, writeAttributes } from "../../html/html-attributes.js";
import { holdsScript, isRunByBrowsers, runsNoScript } from "../../html/page-scripts.js";
import { escapeHtml } from "../../text/html-text.js";
import { hasExpression, textOf, type HastElement } from "../../text/syntax-tree.js";
import { blockTag, scrollingTable } from "../../html/tags.js";
import { word } from "../../words/words.js";

/** A heading of Markdown, whose text may contain values: a page's list and links show them too. */
function writeHeading(node: HastElement, context: PageContext, inner: () => string): string {
    const written = textOf(node);
    const text = hasExpression(node) ? context.plainText(context.contentOf(node.children)) : written;
    return context.headings.write(node.tagName, node.properties, { text, written }, inner);
}

/** An element from Markdown or raw HTML. */
export function renderElement(node: HastElement, context: PageContext): string {
    const { tagName, properties } = node;
    const scripts = Object.keys(properties).filter((name) => holdsScript(tagName, name, properties[name]));
    if (scripts.length > 0) {
        return renderElement(without(scripts, node, context), context);
    }
    const inner = () => context.renderNodes(node.children);
    switch (tagName) {
        case "h1":
        case "h2":
        case "h3":
        case "h4":
        case "h5":
        case "h6":
            return properties["id"] === "footnote-label"
                ? context.tag(tagName, properties, inner)
                : writeHeading(node, context, inner);
        case "pre":
            return renderPre(node, context);
        case "code":
            return Array.isArray(properties["className"]) && properties["className"].includes("math-inline")
                ? formula(withoutBackticks(textOf(node)), false, context)
                : context.tag(tagName, properties, inner);
        case "blockquote": {
            const callout = calloutOf(node);
            if (callout === undefined) {
                return context.tag(tagName, properties, inner);
            }
            const { kind, title, children } = callout;
            context.search.add(title === undefined ? "" : `${title} `);
            return writeCallout(kind, context.renderNodes(children), title);
        }
        case "a":
            if (properties["href"] === "" && textOf(node).trim() !== "") {
                const text = textOf(node).trim();
                context.warn("link", `the link "${text}" has no address, so it leads to its own page`, `${text}]()`);
            }
            return context.tag(tagName, properties, inner);
        case "img":
            return properties["src"] === ""
                ? imageWithoutAddress(properties, context, "]()")
                : context.tag(tagName, properties, inner);
        case "table":
            return scrollingTable(context.tag(tagName, properties, inner));
        case "input":
            return context.tag(
                tagName,
                isTask(properties) ? { ...properties, ariaLabel: word("task") } : properties,
                inner,
            );
        case "script":
            if (isRunByBrowsers(properties)) {
                context.warn("component", `<script> ${runsNoScript}`, "<script");
                return "";
            }
            return context.tag(tagName, properties, () => textOf(node));
        case "style":
            return context.tag(tagName, properties, () => textOf(node));
        case "p": {
            context.search.separate();
            const html = inner();
            context.search.separate();
            // A paragraph that contained only a callout's marker is empty now.
            if (html === "" && Object.keys(properties).length === 0) {
                return "";
            }
            // A `<summary>` must be a direct child of its `<details>`.
            if (html.startsWith("<summary")) {
                return html;
            }
            return blockTag.test(html)
                ? `<div class="p">${html}</div>`
                : `<p${writeAttributes(properties)}>${html}</p>`;
        }
        default:
            return isKnownElement(tagName) ? context.tag(tagName, properties, inner) : unknownElement(node, context);
    }
}

/**
 * Shows an image's text, because browsers load the page itself for an empty address.
 * @param near text of the image's line, if the line is unknown
 */
export function imageWithoutAddress({ alt }: Properties, context: PageContext, near?: string): string {
    const text = typeof alt === "string" ? alt : "";
    context.warn("link", `the image "${text}" has no address, so only its text is shown`, near && (text || near));
    context.search.add(` ${text} `);
    return escapeHtml(text);
}

function without(scripts: readonly string[], node: HastElement, context: PageContext): HastElement {
    const properties = { ...node.properties };
    for (const property of scripts) {
        delete properties[property];
        const name = property.toLowerCase();
        context.warn("attribute", `${name} in <${node.tagName}> ${runsNoScript}`, name);
    }
    return { ...node, properties };
}

/** An element that HTML does not know, such as a component of another builder. */
function unknownElement(node: HastElement, context: PageContext): string {
    const { tagName, properties, children } = node;
    const { html, reason } = unknownTexts(
        `element of HTML and no component <${tagName}>${suggest(nearestName(tagName, components.keys()))}`,
        properties,
        hasNodes(children),
        context,
    );
    context.warnOfUnknown(tagName, reason);
    return context.tag(
        tagName,
        properties,
        () => (html === "" ? "" : ` ${html} `) + context.renderNodes(node.children),
    );
}

/** The checkbox of a task list item, for which Markdown has no text. */
function isTask({ type, disabled, ariaLabel }: Properties): boolean {
    return type === "checkbox" && disabled === true && ariaLabel === undefined;
}

function renderPre(node: HastElement, context: PageContext): string {
    const code = codeOf(node);
    if (code === undefined) {
        return context.tag("pre", node.properties, () => context.renderNodes(node.children));
    }
    const { text, language, meta, isFormula } = code;
    return isFormula ? formula(text, true, context) : context.codeBlock(text, language, meta);
}

/** GitHub also writes formulas as $`a`$, so that no other syntax is read in them. */
function withoutBackticks(formula: string): string {
    return formula.replace(/^`([^`]+)`$/, "$1");
}

function formula(text: string, display: boolean, context: PageContext): string {
    context.search.add(` ${text} `);
    return writeFormula(text, display, context);
}
