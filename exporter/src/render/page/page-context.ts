import { type HastNode } from "satteri";
import { type ComponentContext } from "../../components/component.js";
import { type Headings } from "../../html/headings.js";
import { type Properties } from "../../html/html-attributes.js";
import { type Content } from "../../text/script-value.js";

export interface PageContext extends ComponentContext {
    readonly headings: Headings;
    /** Nodes as content of the current place, whose names their expressions see. */
    contentOf(nodes: readonly HastNode[]): Content;
    renderNodes(nodes: readonly HastNode[]): string;
    tag(name: string, properties: Properties, inner: () => string): string;
    /** Warns about an unknown HTML element, once for each name. */
    warnOfUnknown(tagName: string, reason: string): void;
}
