import { type WarningKind } from "../problems/warnings.js";
import { codeOf, metaOf } from "../code/code-block.js";
import { calloutOf, writeCallout } from "../components/kinds/callouts.js";
import { unknownTexts } from "../components/unknown.js";
import { hasNodes } from "./has-content.js";
import { isKnownElement } from "../markdown/known-elements.js";
import { writeFormula } from "../html/formula.js";
import { writeAttributes } from "../html/html-attributes.js";
import { isEventHandler, isRunByBrowsers, runsNoScript } from "../html/page-scripts.js";
import { type SearchText } from "../text/search-text.js";
import { textOf, type HastElement } from "../markdown/syntax-tree.js";
import { blockTag, scrollingTable } from "../html/tags.js";
import { word } from "../words/words.js";

type Properties = Readonly<Record<string, unknown>>;

/** What writing an element asks of the page. */
export interface ElementHost {
    readonly search: SearchText;
    readonly children: (node: HastElement) => string;
    readonly tag: (name: string, properties: Properties, inner: () => string) => string;
    readonly heading: (name: string, properties: Properties, text: string, inner: () => string) => string;
    readonly code: (code: string, language: string | undefined, meta: string | undefined) => string;
    readonly link: (href: string) => string;
    /** Warns of an element that HTML does not know. */
    readonly unknown: (tagName: string, reason: string) => void;
    readonly warn: (kind: WarningKind, reason: string) => void;
    /** @param text the beginning of the warning's cause, in upper or lower case: raw HTML keeps no positions */
    readonly warnNear: (text: string, kind: WarningKind, reason: string) => void;
}

/** An element that Markdown or raw HTML made. */
export function renderElement(node: HastElement, host: ElementHost): string {
    const { tagName, properties } = node;
    const handlers = Object.keys(properties).filter(isEventHandler);
    if (handlers.length > 0) {
        return renderElement(withoutHandlers(node, handlers, host), host);
    }
    const inner = () => host.children(node);
    switch (tagName) {
        case "h1":
        case "h2":
        case "h3":
        case "h4":
        case "h5":
        case "h6":
            return properties["id"] === "footnote-label"
                ? host.tag(tagName, properties, inner)
                : host.heading(tagName, properties, textOf(node), inner);
        case "pre":
            return renderPre(node, host);
        case "code":
            return Array.isArray(properties["className"]) && properties["className"].includes("math-inline")
                ? formula(textOf(node), false, host)
                : host.tag(tagName, properties, inner);
        case "blockquote": {
            const callout = calloutOf(node);
            if (callout === undefined) {
                return host.tag(tagName, properties, inner);
            }
            const { kind, title, content } = callout;
            host.search.add(title === undefined ? "" : `${title} `);
            return writeCallout(kind, host.children(content), title);
        }
        case "table":
            return scrollingTable(host.tag(tagName, properties, inner));
        case "input":
            return host.tag(
                tagName,
                isTask(properties) ? { ...properties, ariaLabel: word("task") } : properties,
                inner,
            );
        case "script":
            if (isRunByBrowsers(properties)) {
                host.warnNear("<script", "component", `<script> ${runsNoScript}`);
                return "";
            }
            return host.tag(tagName, properties, () => textOf(node));
        case "style":
            return host.tag(tagName, properties, () => textOf(node));
        case "p": {
            const html = inner();
            host.search.add(" ");
            // What is left of a paragraph that was only a callout's mark.
            if (html === "" && Object.keys(properties).length === 0) {
                return "";
            }
            // The title of a `<details>` must stand directly in it.
            if (html.startsWith("<summary")) {
                return html;
            }
            return blockTag.test(html)
                ? `<div class="p">${html}</div>`
                : `<p${writeAttributes(properties)}>${html}</p>`;
        }
        default:
            return isKnownElement(tagName) ? host.tag(tagName, properties, inner) : unknownElement(node, host);
    }
}

function withoutHandlers(node: HastElement, handlers: readonly string[], { warnNear }: ElementHost): HastElement {
    const properties = { ...node.properties };
    for (const property of handlers) {
        delete properties[property];
        const name = property.toLowerCase();
        warnNear(name, "attribute", `${name} in <${node.tagName}> ${runsNoScript}`);
    }
    return { ...node, properties };
}

/** An element that only another builder knows, such as a component of VitePress. */
function unknownElement(node: HastElement, host: ElementHost): string {
    const { tagName, properties, children } = node;
    const { html, reason } = unknownTexts(
        `element of HTML and no component <${tagName}>`,
        properties,
        hasNodes(children),
        host,
    );
    host.unknown(tagName, reason);
    return host.tag(tagName, properties, () => (html === "" ? "" : ` ${html} `) + host.children(node));
}

/** The box of an entry in a list of tasks, for which Markdown knows no name. */
function isTask({ type, disabled, ariaLabel }: Properties): boolean {
    return type === "checkbox" && disabled === true && ariaLabel === undefined;
}

function renderPre(node: HastElement, host: ElementHost): string {
    const code = codeOf(node);
    if (code === undefined) {
        return host.tag("pre", node.properties, () => host.children(node));
    }
    return code.isFormula ? formula(code.text, true, host) : host.code(code.text, code.language, metaOf(code.element));
}

function formula(text: string, display: boolean, host: ElementHost): string {
    host.search.add(` ${text} `);
    return writeFormula(text, display, (reason) => host.warn("formula", reason));
}
