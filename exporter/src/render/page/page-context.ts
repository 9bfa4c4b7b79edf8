import { type HastNode } from "satteri";
import { type ComponentContext } from "../components/component.js";
import { type Headings } from "../../html/headings.js";
import { type Properties } from "../../html/html-attributes.js";
import { type Value } from "../../text/script-value.js";

/** The file that a page includes, in any builder's notation, and how to show the file as code. */
export interface IncludeAttributes {
    readonly src: string;
    readonly lang: string | undefined;
    readonly meta: string | undefined;
    /** Whether a page is shown as code. */
    readonly isCode: boolean;
}

/** The context in which the parts of a page are rendered. */
export interface PageContext extends ComponentContext {
    readonly headings: Headings;
    renderNodes(nodes: readonly HastNode[]): string;
    /** A value as text without markup. */
    plainText(value: Value): string;
    tag(name: string, properties: Properties, inner: () => string): string;
    /** The content of another file of the site, or a part of the content. */
    include(attributes: IncludeAttributes): string;
    /** Warns about an unknown HTML element, once for each name. */
    warnOfUnknown(tagName: string, reason: string): void;
}
