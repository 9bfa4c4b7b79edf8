import { type HastNode } from "satteri";
import { type ComponentHost } from "../components/component.js";
import { type Headings } from "../../html/headings.js";
import { type Properties } from "../../html/html-attributes.js";
import { type Value } from "../../text/script-value.js";

/** What writing a part of a page asks of the page. */
export interface PageHost extends ComponentHost {
    readonly headings: Headings;
    renderNodes(nodes: readonly HastNode[]): string;
    /** A value without any markup. */
    plainText(value: Value): string;
    tag(name: string, properties: Properties, inner: () => string): string;
    /** Warns of an element that HTML does not know, once for each name. */
    warnOfUnknown(tagName: string, reason: string): void;
}
