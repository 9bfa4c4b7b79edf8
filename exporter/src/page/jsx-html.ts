import { withoutParagraph } from "../script/content.js";
import { type ElementHost } from "./elements.js";
import { isRunByBrowsers, runsNoScript } from "../html/page-scripts.js";
import { htmlAttributesOf, phrasingElements, rawTextElements, scrollingTable } from "../html/tags.js";
import { Content, isValueRecord, type Value, type ValueRecord } from "../script/value.js";

/** What writing an element that was written as JSX asks of the page. */
export interface JsxHtmlHost extends Pick<ElementHost, "tag" | "heading" | "warn"> {
    readonly value: (value: Value) => string;
    /** Without any markup. */
    readonly text: (value: Value) => string;
    /** Reports an attribute that is left out. */
    readonly leftOut: (name: string) => void;
}

/** An element of HTML that was written as JSX. */
export function renderJsxHtml(
    tagName: string,
    given: ValueRecord,
    children: Content | readonly Value[],
    host: JsxHtmlHost,
): string {
    const attributes = htmlAttributesOf(given, host.leftOut);
    if (tagName === "script" && isRunByBrowsers(attributes)) {
        host.warn("component", `<script> ${runsNoScript}`);
        return "";
    }
    const inner = given["dangerouslySetInnerHTML"];
    if (isValueRecord(inner) && typeof inner["__html"] === "string") {
        return host.tag(tagName, attributes, () => inner["__html"] as string);
    }
    if (rawTextElements.has(tagName)) {
        return host.tag(tagName, attributes, () => host.text(children).replaceAll("</", "<\\/"));
    }
    if (/^h[1-6]$/.test(tagName)) {
        const title = children instanceof Content ? withoutParagraph(children) : children;
        return host.heading(tagName, attributes, host.text(children).trim(), () => host.value(title));
    }
    const nodes = children instanceof Content && phrasingElements.has(tagName) ? withoutParagraph(children) : children;
    const html = host.tag(tagName, attributes, () => host.value(nodes));
    return tagName === "table" ? scrollingTable(html) : html;
}
