import { withoutParagraph } from "../script/content.js";
import { type PageHost } from "./page-host.js";
import { isRunByBrowsers, runsNoScript } from "../../html/page-scripts.js";
import { htmlAttributesOf, phrasingElements, rawTextElements, scrollingTable } from "../../html/tags.js";
import { Content, isValueRecord, type Value, type ValueRecord } from "../../text/script-value.js";

/** An element of HTML that was written as JSX. */
export function renderJsxHtml(
    tagName: string,
    given: ValueRecord,
    children: Content | readonly Value[],
    host: PageHost,
): string {
    const attributes = htmlAttributesOf(given, (name) =>
        host.warn("attribute", `${name} in <${tagName}> ${runsNoScript}`),
    );
    if (tagName === "script" && isRunByBrowsers(attributes)) {
        host.warn("component", `<script> ${runsNoScript}`);
        return "";
    }
    const inner = given["dangerouslySetInnerHTML"];
    if (isValueRecord(inner) && typeof inner["__html"] === "string") {
        return host.tag(tagName, attributes, () => inner["__html"] as string);
    }
    if (rawTextElements.has(tagName)) {
        return host.tag(tagName, attributes, () => host.plainText(children).replaceAll("</", "<\\/"));
    }
    if (/^h[1-6]$/.test(tagName)) {
        const title = children instanceof Content ? withoutParagraph(children) : children;
        return host.headings.write(tagName, attributes, host.plainText(children).trim(), () => host.renderValue(title));
    }
    const nodes = children instanceof Content && phrasingElements.has(tagName) ? withoutParagraph(children) : children;
    const html = host.tag(tagName, attributes, () => host.renderValue(nodes));
    return tagName === "table" ? scrollingTable(html) : html;
}
